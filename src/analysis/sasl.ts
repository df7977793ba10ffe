import { saslUser } from '../decode/sasl.ts';

/** What the first token of a SASL exchange says. Nothing secret is kept of it. */
export interface SaslToken {
  /** Whom the client wants to be; null where the mechanism doesn't say it in plain text. */
  readonly user: string | null;
  /** It holds a password, or a token that is as good as one. */
  readonly exposesSecret: boolean;
}

/** A GS2 header (RFC 5801, section 4): a channel binding flag and an optional authorization identity. */
const GS2 = /^(?:p=[^,]*|[ny]),(?:a=([^,]*))?,/;

/** Reads a client's first token. A token that isn't as its mechanism wants it says nothing. */
export function readFirstToken(mechanism: string | null, token: Buffer): SaslToken {
  if (mechanism === 'OAUTHBEARER') return bearerToken(token);
  // Kafka's server refuses a PLAIN identity that isn't its user's (`PlainSaslServer.java`), so that the user is who is served.
  const user = isDelegationToken(mechanism, token) ? null : saslUser(mechanism, token);
  return { user, exposesSecret: mechanism === 'PLAIN' && user !== null };
}

/** A delegation token's id stands in the place of a user that only the broker knows (KIP-48). */
function isDelegationToken(mechanism: string | null, token: Buffer): boolean {
  return mechanism?.startsWith('SCRAM-') === true && token.toString('latin1').split(',').includes('tokenauth=true');
}

/** RFC 7628, section 3.1. Which claim of the token names the user is the broker's affair, but an identity given must be that user. */
function bearerToken(token: Buffer): SaslToken {
  return { user: GS2.exec(token.toString('utf8'))?.[1] || null, exposesSecret: token.includes('auth=Bearer ') };
}

/** Whether a server's token, sent without an error, ends the exchange with success. */
export function isLastToken(mechanism: string | null, token: Buffer): boolean {
  if (mechanism?.startsWith('SCRAM-')) return token.toString('latin1').startsWith('v=');
  if (mechanism === 'OAUTHBEARER') return token.length === 0;
  return true;
}
