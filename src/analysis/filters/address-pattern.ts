import ipaddr from 'ipaddr.js';
import { FilterError } from '../../errors.ts';

/** Whether one end of a connection (`192.0.2.1:51234`, `[2001:db8::1]:9092`) is one that was asked for. */
export type EndpointTest = (endpoint: string) => boolean;

type Address = ipaddr.IPv4 | ipaddr.IPv6;

interface Endpoint {
  readonly address: Address;
  readonly port: number;
}

/** Address in brackets with or without a port, or a prefix's length behind either; and addresses with a port, but for bare IPv6 ones. */
const BRACKETED = /^\[([^\]]+)\](?::(\d+))?$/;
const WITH_PORT = /^([^:]*):(\d+)$/;
const MAX_PORT = 65_535;
/** Endpoints whose answer is remembered: connections are few, exchanges many. */
const REMEMBERED = 1024;

/**
 * Reads what an option asks for: an address (`10.0.0.2`, `2001:db8::1`), a network (`10.0.0.0/8`, `2001:db8::/32`), a port (`9092` or `:9092`), an
 * address or network with a port (`10.0.0.2:9092`, `[2001:db8::1]:9092`), or several separated by commas. An IPv4-mapped IPv6 address is
 * the IPv4 address that it holds.
 */
export function parseEndpoints(option: string, asked: string): EndpointTest {
  const tests = asked.split(',').map((part) => endpointTest(option, part.trim()));
  const known = new Map<string, boolean>();
  return (text) => {
    const answer = known.get(text);
    if (answer !== undefined) return answer;
    const endpoint = readEndpoint(text);
    const matches = tests.some((test) => test(endpoint));
    if (known.size === REMEMBERED) known.clear();
    known.set(text, matches);
    return matches;
  };
}

function endpointTest(option: string, asked: string): (endpoint: Endpoint) => boolean {
  if (/^:?\d+$/.test(asked)) {
    const wanted = portOf(option, asked.replace(':', ''));
    return ({ port }) => port === wanted;
  }
  const [, host = asked, port] = BRACKETED.exec(asked) ?? WITH_PORT.exec(asked) ?? [];
  const isInside = networkTest(option, asked, host);
  if (port === undefined) return ({ address }) => isInside(address);
  const wanted = portOf(option, port);
  return (endpoint) => endpoint.port === wanted && isInside(endpoint.address);
}

function networkTest(option: string, asked: string, host: string): (address: Address) => boolean {
  const [text = '', bits, ...rest] = host.split('/');
  const address = parseAddress(text);
  if (address === null || rest.length > 0) throw notAnAddress(option, asked);
  if (bits === undefined) return (other) => other.toString() === address.toString();
  const length = Number(bits);
  const longest = address.kind() === 'ipv4' ? 32 : 128;
  if (!/^\d+$/.test(bits) || length > longest) {
    throw new FilterError(
      `${option} ${asked}: the prefix of an ${address.kind() === 'ipv4' ? 'IPv4' : 'IPv6'} network has 0 to ${longest} bits`,
    );
  }
  return (other) => other.kind() === address.kind() && other.match(address, length);
}

/** ipaddr.js also reads forms that nobody means here, such as octal parts and single numbers. */
function parseAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : null;
}

function portOf(option: string, digits: string): number {
  const port = Number(digits);
  if (port > MAX_PORT) throw new FilterError(`${option}: ports go up to ${MAX_PORT}, not ${digits}`);
  return port;
}

function readEndpoint(text: string): Endpoint {
  const colon = text.lastIndexOf(':');
  return { address: ipaddr.process(text.slice(0, colon).replace(/^\[(.*)\]$/, '$1')), port: Number(text.slice(colon + 1)) };
}

function notAnAddress(option: string, asked: string): FilterError {
  return new FilterError(
    `${option} takes an address, a network or a port, as in 10.0.0.2, 10.0.0.0/8, 2001:db8::/32, :9092, 10.0.0.2:9092 or [2001:db8::1]:9092, not ${asked}`,
  );
}
