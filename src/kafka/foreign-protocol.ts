import { uint16 } from '../wire/bytes.ts';

/** What a connection speaks that isn't Kafka in plain text. */
export interface ForeignProtocol {
  readonly name: 'TLS' | 'HTTP' | 'SSH' | 'ZooKeeper' | 'unknown';
  /** More about it: `TLS 1.3, server name "broker.example.com"`. From the wire: escape it before printing. */
  readonly detail: string;
}

const FIRST_TLS_TYPE = 20;
const HTTP_STARTS = ['GET ', 'POST', 'HEAD', 'PUT ', 'DELE', 'OPTI', 'PATC', 'CONN', 'TRAC', 'HTTP', 'PRI '];
/** ZooKeeper's four-letter words (its administrator's guide). */
const ZOOKEEPER_WORDS = [
  'conf',
  'cons',
  'crst',
  'dump',
  'envi',
  'ruok',
  'srst',
  'srvr',
  'stat',
  'wchs',
  'wchc',
  'wchp',
  'mntr',
  'dirs',
  'hash',
  'isro',
  'gtmk',
  'stmk',
  'imok',
];
const LONGEST_LINE_BYTES = 2048;
const TLS_VERSIONS = new Map([
  [0x0300, 'SSL 3.0'],
  [0x0301, 'TLS 1.0'],
  [0x0302, 'TLS 1.1'],
  [0x0303, 'TLS 1.2'],
  [0x0304, 'TLS 1.3'],
]);

/**
 * Recognises what isn't Kafka by the first bytes of either side; null where they tell nothing. `inMiddle`: they are a segment's of a connection
 * that began before the capture, so that they may as well be of a log line in a record; then more of them must look right.
 */
export function foreignProtocol(bytes: Uint8Array, start: number, end: number, inMiddle: boolean): ForeignProtocol | null {
  if (end - start < 4) return null;
  // The first byte of a size that Kafka believes is small, and nothing else begins so but zeros.
  const first = bytes[start] as number;
  if (first < FIRST_TLS_TYPE) return first === 0 && isZeros(bytes, start, end) ? { name: 'unknown', detail: 'zeros' } : null;
  if (isTlsRecord(bytes, start)) return { name: 'TLS', detail: tlsDetail(bytes, start, end) };
  const word = String.fromCharCode(...bytes.subarray(start, start + 4));
  if (inMiddle && !isWholeLine(bytes, start, end)) return null;
  if (HTTP_STARTS.includes(word)) return { name: 'HTTP', detail: 'HTTP' };
  if (word === 'SSH-') return { name: 'SSH', detail: 'SSH' };
  if (ZOOKEEPER_WORDS.includes(word)) return { name: 'ZooKeeper', detail: `ZooKeeper's four-letter word "${word}"` };
  return null;
}

/** A TLS record header (RFC 8446, section 5.1): content type 20 to 23, major version 3, a length of at most 2^14 + 2048. */
function isTlsRecord(bytes: Uint8Array, start: number): boolean {
  const type = bytes[start] as number;
  const minor = bytes[start + 2] as number;
  return type >= FIRST_TLS_TYPE && type <= 23 && bytes[start + 1] === 3 && minor <= 4 && (bytes[start + 3] as number) <= 0x48;
}

/** A request or status line of HTTP, an identification of SSH (RFC 4253, section 4.2), or a word by itself. */
function isWholeLine(bytes: Uint8Array, start: number, end: number): boolean {
  const text = String.fromCharCode(...bytes.subarray(start, Math.min(end, start + LONGEST_LINE_BYTES)));
  return /^(?:[A-Z]+ [^\r\n]* HTTP\/[0-9.]+\r\n|HTTP\/[0-9.]+ [0-9]{3}[^\r\n]*\r\n|SSH-[0-9.]+-[^\r\n]+\r?\n|[a-z]{4}\r?\n?$)/.test(text);
}

function isZeros(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < Math.min(end, start + 64); i++) if (bytes[i] !== 0) return false;
  return end - start >= 8;
}

/** Version and server name of a ClientHello (RFC 8446, section 4.1.2; RFC 6066, section 3), as far as they are there. */
function tlsDetail(bytes: Uint8Array, start: number, end: number): string {
  const isClientHello = bytes[start] === 22 && start + 43 < end && bytes[start + 5] === 1;
  if (!isClientHello) return bytes[start] === 22 ? 'TLS handshake' : 'TLS';
  let version = uint16(bytes, start + 9);
  let serverName: string | null = null;
  for (const { type, from, to } of clientHelloExtensions(bytes, start + 43, end)) {
    if (type === 0 && to - from > 5) serverName = text(bytes, from + 5, Math.min(to, from + 5 + uint16(bytes, from + 3)));
    if (type === 43) version = Math.max(version, ...offeredVersions(bytes, from, to));
  }
  const name = TLS_VERSIONS.get(version) ?? 'TLS';
  return serverName === null ? `${name} handshake` : `${name} handshake, server name "${serverName}"`;
}

function* clientHelloExtensions(bytes: Uint8Array, sessionId: number, end: number): Generator<{ type: number; from: number; to: number }> {
  const suites = sessionId + 1 + (bytes[sessionId] as number);
  if (suites + 2 > end) return;
  const compressions = suites + 2 + uint16(bytes, suites);
  if (compressions + 1 > end) return;
  let at = compressions + 1 + (bytes[compressions] as number) + 2;
  while (at + 4 <= end) {
    const from = at + 4;
    const to = from + uint16(bytes, at + 2);
    if (to > end) return;
    yield { type: uint16(bytes, at), from, to };
    at = to;
  }
}

/** The supported_versions extension (RFC 8446, section 4.2.1), without GREASE values. */
function offeredVersions(bytes: Uint8Array, from: number, to: number): number[] {
  const versions: number[] = [];
  for (let at = from + 1; at + 2 <= to; at += 2) versions.push(uint16(bytes, at));
  return versions.filter((version) => TLS_VERSIONS.has(version));
}

function text(bytes: Uint8Array, start: number, end: number): string {
  return new TextDecoder().decode(bytes.subarray(start, end));
}
