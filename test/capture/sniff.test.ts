import test from 'ava';
import { sniff } from '../../src/capture/sniff.ts';
import { hex } from '../helpers/packets.ts';

const formats: readonly (readonly [start: string, format: string])[] = [
  ['d4c3b2a1', 'pcap'],
  ['a1b2c3d4', 'pcap'],
  ['4d3cb2a1', 'pcap'],
  ['a1b23c4d', 'pcap'],
  ['34cdb2a1', 'pcap'],
  ['a1b2cd34', 'pcap'],
  ['0a0d0d0a', 'pcapng'],
  ['1f8b0800', 'gzip'],
  ['28b52ffd', 'zstd'],
  ['502a4d18', 'zstd'],
  ['5f2a4d18', 'zstd'],
];
for (const [start, format] of formats) {
  test(`knows ${format} by ${start}`, (t) => {
    const bytes = hex(`ff${start}ff`);
    t.deepEqual(sniff(bytes, 1, 5), { format } as ReturnType<typeof sniff>);
  });
}

const others: readonly (readonly [start: Uint8Array, name: string])[] = [
  [new Uint8Array(), 'the file is empty'],
  [hex('d4c3b2'), 'the file has only 3 bytes'],
  [hex('425a6839'), 'this is a bzip2 file'],
  [hex('736e6f6f'), 'this is a snoop capture; editcap -F pcap converts it'],
  [Buffer.from('tcpdump: listening on eth0\n'), 'this is a text file'],
  [hex('00112233'), 'this is no format known here (it begins with the bytes 00112233)'],
];
for (const [bytes, name] of others) {
  test(`names what isn't a capture: ${name}`, (t) => {
    t.deepEqual(sniff(bytes, 0, bytes.length), { format: null, name });
  });
}
