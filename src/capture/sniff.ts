/** What a file's first bytes say it is: a format that is read, or the name of one that isn't. */
export type Sniffed = { readonly format: 'pcap' | 'pcapng' | 'gzip' | 'zstd' } | { readonly format: null; readonly name: string };

/** Bytes that {@link sniff} looks at; fewer where the file is shorter. */
export const SNIFF_BYTES = 4;

/** Bytes that tell text from what else isn't a capture; fewer where the file is shorter. */
export const TEXT_BYTES = 512;

/** What is read, for the message to somebody who brought something else. */
export const ACCEPTED_FORMATS = 'pcap and pcapng captures are read, also compressed with gzip or zstd';

type Reading = 'pcap' | 'pcapng' | 'gzip' | 'zstd';

/** First bytes in hexadecimal. A pcap's stand for its byte order and time resolution; the skippable frames of zstd are any of sixteen. */
const READ_FORMATS: readonly (readonly [prefix: RegExp, format: Reading])[] = [
  [/^(?:a1b2c3d4|d4c3b2a1|a1b23c4d|4d3cb2a1|a1b2cd34|34cdb2a1)/, 'pcap'],
  [/^0a0d0d0a/, 'pcapng'],
  [/^1f8b/, 'gzip'],
  [/^(?:28b52ffd|5.2a4d18)/, 'zstd'],
];

const OTHER_FORMATS: readonly (readonly [prefix: string, name: string])[] = [
  ['425a68', 'a bzip2 file'],
  ['fd377a58', 'an xz file'],
  ['04224d18', 'an lz4 file'],
  ['504b0304', 'a zip archive'],
  ['377abcaf', 'a 7z archive'],
  ['736e6f6f', 'a snoop capture; editcap -F pcap converts it'],
  ['474d4255', 'a Network Monitor capture; editcap -F pcap converts it'],
  ['52545353', 'a Network Monitor capture; editcap -F pcap converts it'],
  ['54525346', 'a Sniffer capture; editcap -F pcap converts it'],
  ['58435000', 'a NetXRay capture; editcap -F pcap converts it'],
  ['7f454c46', 'a program'],
  ['25504446', 'a PDF document'],
  ['89504e47', 'a PNG picture'],
  ['53514c69', 'an SQLite database'],
  ['50415231', 'a Parquet file'],
];

/** Tells a file by its first bytes, never by its name. `bytes[start, end)` should hold {@link SNIFF_BYTES}, and {@link TEXT_BYTES} to tell text. */
export function sniff(bytes: Uint8Array, start: number, end: number): Sniffed {
  if (start === end) return { format: null, name: 'the file is empty' };
  const prefix = Buffer.from(bytes.subarray(start, Math.min(end, start + SNIFF_BYTES))).toString('hex');
  const read = READ_FORMATS.find(([pattern]) => pattern.test(prefix));
  if (read !== undefined) return { format: read[1] };
  if (end - start < SNIFF_BYTES) return { format: null, name: `the file has only ${end - start} bytes` };
  const other = OTHER_FORMATS.find(([known]) => prefix.startsWith(known));
  if (other !== undefined) return { format: null, name: `this is ${other[1]}` };
  if (isText(bytes.subarray(start, Math.min(end, start + TEXT_BYTES)))) return { format: null, name: 'this is a text file' };
  return { format: null, name: `this is no format known here (it begins with the bytes ${prefix})` };
}

function isText(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d));
}
