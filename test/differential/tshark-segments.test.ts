import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { openCapture } from '../../src/capture/open-capture.ts';
import { Step } from '../../src/capture/packet.ts';
import { PacketDecoder } from '../../src/net/packet-decoder.ts';
import { Checksum } from '../../src/net/segment.ts';
import { concat, ethernet, hex, ipv4, ipv6, ipv6FragmentHeader, pcapFile, tcp, tcpConversation, udp } from '../helpers/packets.ts';

const hasTshark = spawnSync('tshark', ['-v']).status === 0;
const directory = 'captures';
const captures = (await readdir(directory)).filter((name) => /\.(pcap|pcapng|cap)(\.gz)?$/.test(name)).sort();

/** What tshark and the net stage both say of a segment, as one line. */
type SegmentLine = string;

const preferences = [
  'tcp.desegment_tcp_streams:FALSE',
  'tcp.check_checksum:TRUE',
  'ip.defragment:TRUE',
  'ipv6.defragment:TRUE',
  'udp.check_checksum:FALSE',
];
const fields = ['frame.number', 'tcp.srcport', 'tcp.dstport', 'tcp.seq_raw', 'tcp.len', 'tcp.checksum.status', 'icmp.type', 'icmpv6.type'];
/** Values of tcp.checksum.status. */
const checksumStates: Record<string, string> = { 0: 'wrong', 1: 'right' };

/** The segments by tshark, and the number of the last packet it read: of a damaged capture it reads the beginning. */
async function byTshark(path: string): Promise<{ lines: SegmentLine[]; lastPacket: number }> {
  const options = [...preferences.flatMap((preference) => ['-o', preference]), ...fields.flatMap((field) => ['-e', field])];
  const command = ['-n', '-r', path, '-T', 'fields', '-E', 'occurrence=l', ...options];
  const output = await new Promise<string>((resolve) => {
    execFile('tshark', command, { maxBuffer: 1 << 30 }, (_error, stdout) => resolve(stdout));
  });
  const rows = output.split('\n').flatMap((row) => (row === '' ? [] : [row.split('\t')]));
  const lines = rows.flatMap(([number, source, destination, seq, length, checksum = '', icmp, icmp6]) => {
    if (source === '' || length === '' || icmp !== '' || icmp6 !== '') return [];
    return [
      `packet ${number}: ${source} to ${destination}, seq ${seq}, ${length} bytes, checksum ${checksumStates[checksum] ?? 'unknown'}`,
    ];
  });
  return { lines, lastPacket: Number(rows.at(-1)?.[0] ?? 0) };
}

/** The same by the capture and net stages. What they call offloaded is wrong for tshark. */
async function byNetStage(path: string, lastPacket: number): Promise<SegmentLine[]> {
  const lines: SegmentLine[] = [];
  const diagnostics = { report: () => {} };
  const reader = await openCapture(path, { capture: 0, diagnostics });
  const decoder = new PacketDecoder(
    {
      segment(segment) {
        const { packet, sourcePort, destinationPort, seq, payloadLength } = segment;
        const checksum = { [Checksum.unknown]: 'unknown', [Checksum.right]: 'right' }[segment.checksum() as number] ?? 'wrong';
        lines.push(
          `packet ${packet.number}: ${sourcePort} to ${destinationPort}, seq ${seq >>> 0}, ${payloadLength} bytes, checksum ${checksum}`,
        );
      },
    },
    diagnostics,
  );
  for (let step = reader.next(); step !== Step.ended; step = reader.next()) {
    if (step === Step.starved) await reader.fill();
    else if (reader.packet.number <= lastPacket) decoder.packet(reader.packet);
  }
  await reader.close();
  return lines;
}

/** Frames with all that changes where a segment is found. */
function variety(): Uint8Array[] {
  const payload = Buffer.from('the same everywhere');
  const whole4 = ipv4(tcp(payload)).subarray(20);
  const whole6 = ipv6(tcp(payload)).subarray(40);
  const frame = ethernet(ipv4(tcp(payload)));
  const more6 = ipv6FragmentHeader(6, 0, true, 1);
  const last6 = ipv6FragmentHeader(6, 16, false, 1);
  return [
    ...tcpConversation({
      messages: [
        { from: 'client', bytes: new Uint8Array(5000) },
        { from: 'server', bytes: new Uint8Array(1) },
      ],
    }),
    ethernet(ipv6(tcp(payload)), {
      tags: [
        [0x88a8, 1],
        [0x8100, 2],
      ],
    }),
    ethernet(ipv4(tcp(), { options: [1, 1, 1, 0] }), { trailer: new Uint8Array(6) }),
    ethernet(concat(hex('aaaa03 000000 0800'), ipv4(tcp(payload))), { type: 8 + 40 + payload.length }),
    ethernet(ipv4(whole4.subarray(16), { id: 1, fragmentOffset: 16 })),
    ethernet(ipv4(whole4.subarray(0, 16), { id: 1, more: true })),
    ethernet(ipv6(whole6.subarray(0, 16), { nextHeader: 44, extensions: [more6], fillChecksum: false })),
    ethernet(ipv6(whole6.subarray(16), { nextHeader: 44, extensions: [last6], fillChecksum: false })),
    ethernet(ipv4(udp(concat(hex('08000000 00000700'), frame), 40_000, 4789), { protocol: 17 })),
    ethernet(ipv4(concat(hex('2000 6558 00000007'), frame), { protocol: 47 })),
    ethernet(ipv4(concat(hex('0303 0000 00000000'), ipv4(tcp())), { protocol: 1 })),
    ethernet(ipv4(tcp(payload, { checksum: 0x1234 }))),
  ];
}

async function compare(path: string): Promise<{ expected: SegmentLine[]; actual: SegmentLine[] }> {
  const { lines, lastPacket } = await byTshark(path);
  return { expected: lines, actual: await byNetStage(path, lastPacket) };
}

const title = 'finds the same segments as tshark in';
if (!hasTshark) {
  test.skip(`${title} the captures (tshark isn't installed)`, () => {});
} else {
  test(`${title} frames of every kind`, async (t) => {
    const temporary = await mkdtemp(join(tmpdir(), 'kafka-dissect-'));
    t.teardown(() => rm(temporary, { recursive: true }));
    const path = join(temporary, 'variety.pcap');
    await writeFile(path, pcapFile(variety()));
    const { expected, actual } = await compare(path);
    t.is(expected.length, variety().length - 3, 'two first fragments and an ICMP error are no segments');
    t.deepEqual(actual, expected);
  });

  for (const name of captures) {
    test(`${title} ${name}`, async (t) => {
      const { expected, actual } = await compare(join(directory, name));
      t.deepEqual(actual, expected);
    });
  }
}
