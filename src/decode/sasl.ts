import { contentBuffer, textAt } from './content.ts';
import type { Decoded } from './decoded.ts';
import { auxAt, bodyEntry, memberEntry, NO_ENTRY } from './walk.ts';

const NUL = 0;

/** The mechanism that a SaslHandshake request names; null where it wasn't decoded. */
export function handshakeMechanism(request: Decoded): string | null {
  return textAt(request, memberEntry(request, bodyEntry(request), 'mechanism'));
}

/** The user that a SaslAuthenticate request names, as {@link saslUser} finds it. */
export function authenticateUser(request: Decoded, mechanism: string | null): string | null {
  const token = memberEntry(request, bodyEntry(request), 'authBytes');
  return token === NO_ENTRY || auxAt(request, token) < 0 ? null : saslUser(mechanism, contentBuffer(request, token));
}

/**
 * The user name in a client's SASL token: of PLAIN (RFC 4616) and of the first message of SCRAM (RFC 5802, section 7). Null in every other
 * message and where the mechanism isn't known: by its form alone a token tells nothing for sure.
 */
export function saslUser(mechanism: string | null, token: Buffer): string | null {
  if (mechanism === 'PLAIN') return plainUser(token);
  return mechanism?.startsWith('SCRAM-') ? scramUser(token) : null;
}

/** `[authorization id] NUL user NUL password` */
function plainUser(token: Buffer): string | null {
  const first = token.indexOf(NUL);
  const second = token.indexOf(NUL, first + 1);
  return first < 0 || second < 0 ? null : token.toString('utf8', first + 1, second);
}

/** `n,[a=authorization id],n=user,r=nonce`, in which `=2C` stands for a comma and `=3D` for an equals sign. */
function scramUser(token: Buffer): string | null {
  const [, user] = /^[nyp][^,]*,(?:a=[^,]*)?,(?:m=[^,]*,)?n=([^,]*),r=/.exec(token.toString('utf8')) ?? [];
  return user === undefined ? null : user.replaceAll('=2C', ',').replaceAll('=3D', '=');
}
