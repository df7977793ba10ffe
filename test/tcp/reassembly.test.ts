import test from 'ava';
import { reassemble, type TableOptions } from '../helpers/segment-table.ts';

interface Row {
  title: string;
  segments: string[];
  comesOut: string[];
  options?: TableOptions;
}

const handshake = ['> 0 SYN', '< 0 SYN', '> 1'];
const byFins = ['>end', '<end', 'closed'];

const rows: Row[] = [
  {
    title: 'passes on what comes in order',
    segments: [...handshake, '> 1 abc', '< 1 xyz', '> 4 def'],
    comesOut: ['>abc', '<xyz', '>def', 'capture-ended'],
  },
  {
    title: 'ends with both FINs',
    segments: [...handshake, '> 1 abc FIN', '< 1 xyz FIN', '> 5'],
    comesOut: ['>abc', '>end', '<xyz', '<end', 'closed'],
  },
  {
    title: 'takes a retransmission once',
    segments: [...handshake, '> 1 abc', '> 1 abc', '> 4 def', '> 1 abc', '> 4 def'],
    comesOut: ['>abcdef', 'capture-ended'],
  },
  { title: 'puts segments in order', segments: [...handshake, '> 7 ghi', '> 4 def', '> 1 abc'], comesOut: ['>abcdefghi', 'capture-ended'] },
  {
    title: 'takes of overlapping segments what is new',
    segments: [...handshake, '> 1 abcd', '> 3 cdef', '> 2 bcdefgh', '> 5 efg'],
    comesOut: ['>abcdefgh', 'capture-ended'],
  },
  {
    title: 'takes of held segments that overlap what is new',
    segments: [...handshake, '> 5 efgh', '> 3 cdef', '> 7 ghij', '> 1 ab'],
    comesOut: ['>abcdefghij', 'capture-ended'],
  },
  {
    title: 'uses the first copy of bytes that differ, and says so',
    segments: [...handshake, '> 4 def', '> 4 dxf', '> 1 abc'],
    comesOut: ['>conflict 3', '>abcdef', 'capture-ended'],
  },
  {
    title: 'says of a retransmission that it differs',
    segments: [...handshake, '> 1 abc', '> 1 axc'],
    comesOut: ['>abc', '>conflict 3', 'capture-ended'],
  },
  {
    title: 'passes over keep-alives, whatever byte they hold',
    segments: [...handshake, '> 1 abc', '> 3 z', '> 3', '< 1', '> 4 def'],
    comesOut: ['>abcdef', 'capture-ended'],
  },
  {
    title: 'takes the byte of a zero window probe',
    segments: [...handshake, '> 1 abc', '> 4 d', '< 1 ack=4', '> 4 def'],
    comesOut: ['>abcdef', 'capture-ended'],
  },
  { title: 'takes data of a SYN', segments: ['> 0 abc SYN', '< 0 SYN', '> 4 def'], comesOut: ['>abcdef', 'capture-ended'] },
  {
    title: 'takes a FIN that came before the last data',
    segments: [...handshake, '> 4 def FIN', '< 1 FIN ack=1', '> 1 abc'],
    comesOut: ['<end', '>abcdef', '>end', 'closed'],
  },
  {
    title: 'takes a retransmitted FIN once',
    segments: [...handshake, '> 1 abc FIN', '> 1 abc FIN', '> 4 FIN', '< 1 FIN'],
    comesOut: ['>abc', '>end', '<end', 'closed'],
  },
  {
    title: 'takes no data behind a FIN',
    segments: [...handshake, '> 1 abc FIN', '> 5 def'],
    comesOut: ['>abc', '>end', '>stray 3', 'capture-ended'],
  },
  { title: 'closes at a RST', segments: [...handshake, '> 1 abc', '< 1 RST', '> 4 def'], comesOut: ['>abc', 'reset'] },
  { title: 'closes at a RST that refuses the connection', segments: ['> 0 SYN', '< 0 RST ack=1 isn=0'], comesOut: [] },
  {
    title: 'passes on what is held before it closes at a RST',
    segments: [...handshake, '< 1 xyz ack=4', '> 4 RST'],
    comesOut: ['>gap 3', '<xyz', 'reset'],
  },
  {
    title: 'lets a RST wait for what it acknowledges',
    segments: [...handshake, '> 1 abc', '> 4 RST ack=4', '< 1 xyz ack=4', '< 4 uvw'],
    comesOut: ['>abc', '<xyz', 'reset'],
  },
  {
    title: 'closes at a RST behind a FIN',
    segments: [...handshake, '> 1 abc FIN', '> 5 RST'],
    comesOut: ['>abc', '>end', 'reset'],
  },
  {
    title: 'gives up what a RST leaves open after a while',
    segments: [...handshake, '> 4 def RST', ...idle(40)],
    comesOut: ['>gap 3', '>def', 'reset'],
  },
  {
    title: 'passes over a RST of an earlier connection',
    segments: [...handshake, '> 1 abc', '< 1', '> -900 RST noack', '> 4 def'],
    comesOut: ['>abcdef', 'capture-ended'],
  },
  {
    title: 'a RST without ACK acknowledges nothing',
    segments: [...handshake, '< 1 xyz', '> 4 RST noack', '> 1 abc'],
    comesOut: ['<xyz', '>abc', 'reset'],
    options: { serverIsn: -5 },
  },
  ...[0xffffffff, 0xfffffffe, 0x7fffffff, 0x7ffffffe].map((isn) => ({
    title: `counts on over the wrap from ISN ${isn}`,
    segments: [...handshake, '> 4 def', '> 1 abc', '< 1 xy', '> 7 ghi', '< 3 z'],
    comesOut: ['>abcdef', '<xy', '>ghi', '<z', 'capture-ended'],
    options: { clientIsn: isn, serverIsn: isn },
  })),
];

for (const { title, segments, comesOut, options } of rows) {
  test(`a connection ${title}`, (t) => t.deepEqual(reassemble(segments, options), comesOut));
}

const gaps: Row[] = [
  {
    title: 'a lost segment, once it was acknowledged and waited for',
    segments: [...handshake, '> 4 def', '< 1 ack=7', ...idle(40)],
    comesOut: ['>gap 3', '>def', 'capture-ended'],
  },
  {
    title: 'a lost segment at the end of the capture, acknowledged or not',
    segments: [...handshake, '> 4 def'],
    comesOut: ['>gap 3', '>def', 'capture-ended'],
  },
  {
    title: 'a lost end that was acknowledged',
    segments: [...handshake, '> 1 abc', '< 1 ack=9'],
    comesOut: ['>abc', '>gap 5', 'capture-ended'],
  },
  {
    title: 'no lost end where one byte more was acknowledged, which may be a FIN',
    segments: [...handshake, '> 1 abc', '< 1 ack=5'],
    comesOut: ['>abc', 'capture-ended'],
  },
  {
    title: 'a lost end before the FIN',
    segments: [...handshake, '> 1 abc', '> 6 FIN', '< 1 FIN', '> 7'],
    comesOut: ['>abc', '>gap 2', '>end', '<end', 'closed'],
  },
  { title: 'a lost beginning', segments: [...handshake, '> 4 def'], comesOut: ['>gap 3', '>def', 'capture-ended'] },
  {
    title: 'a lost beginning of a side whose SYN is missing',
    segments: ['> 0 SYN', '> 1 abc ack=1', '< 4 xyz ack=4'],
    comesOut: ['>abc', '<gap 3', '<xyz', 'capture-ended'],
  },
  {
    title: 'a lost beginning that a late SYN shows',
    segments: ['< 1 ack=1', '> 4 def ack=1', '< 1 x', '> 0 SYN'],
    comesOut: ['>def', '<x', '>missing-beginning 3', 'capture-ended'],
  },
  {
    title: 'a lost beginning of a client whose SYN is missing',
    segments: ['< 0 SYN ack=1', '> 4 def ack=1'],
    comesOut: ['>gap 3', '>def', 'capture-ended'],
  },
  {
    title: 'all that one side said',
    segments: ['> 0 SYN', '> 1 ack=1', '> 1 abc ack=1', '> 4 def ack=10'],
    comesOut: ['>abc', '<gap 9', '>def', 'capture-ended'],
  },
  {
    title: 'several',
    segments: [...handshake, '> 4 d', '> 7 g', '> 2 b'],
    comesOut: ['>gap 1', '>b', '>gap 1', '>d', '>gap 2', '>g', 'capture-ended'],
  },
  {
    title: 'only what was acknowledged of a longer hole',
    segments: [...handshake, '> 9 ijk', '< 1 ack=4', ...idle(40), '> 4 defgh'],
    comesOut: ['>gap 3', '>defghijk', 'capture-ended'],
  },
  {
    title: 'what the snapshot length cut',
    segments: [...handshake, '> 1 abcdef cut=2', '> 7 ghi'],
    comesOut: ['>ab', '>snaplen 4', '>ghi', 'capture-ended'],
  },
  {
    title: 'what the snapshot length left nothing of',
    segments: [...handshake, '> 1 abcdef cut=0', '> 7 ghi'],
    comesOut: ['>snaplen 6', '>ghi', 'capture-ended'],
  },
  {
    title: 'nothing of a cut segment that another copy has',
    segments: [...handshake, '> 3 cdef cut=1', '> 3 cdef', '> 1 ab'],
    comesOut: ['>abcdef', 'capture-ended'],
  },
  {
    title: 'of a cut segment what no other copy has',
    segments: [...handshake, '> 3 cdefgh cut=1', '> 6 fgh', '> 1 ab'],
    comesOut: ['>abc', '>snaplen 2', '>fgh', 'capture-ended'],
  },
  {
    title: 'that a copy came too late',
    segments: [...handshake, '> 4 def', '< 1 ack=7', ...idle(40), '> 1 abc', '> 1 abc'],
    comesOut: ['>gap 3', '>def', '>late 3', 'capture-ended'],
  },
  {
    title: 'that a whole copy of a cut segment came too late',
    segments: [...handshake, '> 1 abcdef cut=2', '> 1 abcdef'],
    comesOut: ['>ab', '>snaplen 4', '>late 4', 'capture-ended'],
  },
  {
    title: 'that a part of a copy came too late',
    segments: [...handshake, '> 4 def', '< 1 ack=7', ...idle(40), '> 2 bcdefgh'],
    comesOut: ['>gap 3', '>def', '>late 2', '>gh', 'capture-ended'],
  },
  {
    title: 'that bytes came too late to begin with',
    segments: ['> 100 abc ack=50', '< 50 xyz', '> 103 def', '> 96 uvwxabc', '> 96 uvwxabc'],
    comesOut: ['>abc', '<xyz', '>def', '>late 4', 'capture-ended'],
  },
  {
    title: 'that a segment can belong to no window',
    segments: [...handshake, '> 1 abc', '> 1200000000 zzz', '> 4 def'],
    comesOut: ['>abc', '>stray 3', '>def', 'capture-ended'],
  },
];

for (const { title, segments, comesOut, options } of gaps) {
  test(`a connection tells ${title}`, (t) => t.deepEqual(reassemble(segments, options), comesOut));
}

const checksums: Row[] = [
  {
    title: 'an intact copy is used before a damaged one that came first',
    segments: [...handshake, '> 1 axc bad', '> 1 abc'],
    comesOut: ['>abc', '>damaged-copy 3', 'capture-ended'],
  },
  {
    title: 'a damaged segment is used where no other copy came',
    segments: [...handshake, '> 1 axc bad', '< 1 xyz ack=4'],
    comesOut: ['>damaged 3', '>axc', '<xyz', 'capture-ended'],
  },
  {
    title: 'a damaged segment is used before the next one',
    segments: [...handshake, '> 1 axc bad', '> 4 def', '< 1 ack=7'],
    comesOut: ['>damaged 3', '>axcdef', 'capture-ended'],
  },
  {
    title: 'a damaged segment is used for what intact ones lack',
    segments: [...handshake, '> 1 abxxef bad', '> 5 efgh', '> 1 ab'],
    comesOut: ['>ab', '>damaged 2', '>xxefgh', 'capture-ended'],
  },
  {
    title: 'a damaged segment behind a hole proves no hole',
    segments: [...handshake, '> 500 zzz bad', '> 1 abc'],
    comesOut: ['>abc', '>damaged-copy 3', 'capture-ended'],
  },
  {
    title: 'a damaged segment in a hole fills it',
    segments: [...handshake, '> 3 cx bad', '> 6 fgh', '< 1 ack=9'],
    comesOut: ['>gap 2', '>damaged 2', '>cx', '>gap 1', '>fgh', 'capture-ended'],
  },
  {
    title: 'a damaged copy of what was passed on is told',
    segments: [...handshake, '> 1 abc', '> 1 axc bad'],
    comesOut: ['>abc', '>damaged-copy 3', 'capture-ended'],
  },
  {
    title: 'a damaged segment moves no state',
    segments: [...handshake, '> 1 SYN isn=77 bad', '> 0 RST isn=1000 bad', '< 1 ack=900 bad', '> 1 abc'],
    comesOut: ['>abc', 'capture-ended'],
  },
  {
    title: 'wrong checksums mean nothing where all are wrong',
    segments: [...handshake, '> 1 abc', '< 1 xyz', '> 4 def'],
    comesOut: ['>abc', '<xyz', '>def', 'capture-ended'],
    options: { checksum: 2 },
  },
];

for (const { title, segments, comesOut, options } of checksums) {
  test(title, (t) => t.deepEqual(reassemble(segments, options), comesOut));
}

const causes: Row[] = [
  {
    title: 'an answer recorded before its request comes after it',
    segments: [...handshake, '< 1 xyz ack=4', '> 1 abc ack=1'],
    comesOut: ['>abc', '<xyz', 'capture-ended'],
  },
  {
    title: 'each answer comes after its request, however the directions were recorded',
    segments: [...handshake, '< 1 x ack=2', '< 2 y ack=3', '> 1 a ack=1', '> 2 b ack=2'],
    comesOut: ['>a', '<x', '>b', '<y', 'capture-ended'],
  },
  {
    title: 'an ACK before the data it covers loses nothing',
    segments: [...handshake, '< 1 ack=7', '> 1 abc ack=1', '> 4 def ack=1'],
    comesOut: ['>abcdef', 'capture-ended'],
  },
  {
    title: 'an ACK past a hole leaves time for the bytes',
    segments: [...handshake, '> 4 def', '< 1 ack=7', ...idle(20), '> 1 abc'],
    comesOut: ['>abcdef', 'capture-ended'],
  },
  {
    title: 'a hole that nobody acknowledged stays open',
    segments: [...handshake, '> 4 def', ...idle(100), '> 1 abc t=50'],
    comesOut: ['>abcdef', 'capture-ended'],
  },
  {
    title: 'what waits for lost bytes goes on after a while',
    segments: [...handshake, '> 1 a', '< 4 xyz ack=2', '> 2 b ack=7', ...idle(40)],
    comesOut: ['>a', '<gap 3', '<xyz', '>b', 'capture-ended'],
  },
  {
    title: 'lost bytes that only the other side shows are told after a while',
    segments: [...handshake, '> 1 a ack=1', '> 2 b ack=9', ...idle(40, 'ack=9'), '> 3 c ack=9'],
    comesOut: ['>a', '<gap 8', '>bc', 'capture-ended'],
  },
  {
    title: 'an acknowledgment that later ones contradict skips nothing',
    segments: [...handshake, '> 1 a ack=1', '> 2 b ack=9000', '< 1 xyz', ...idle(40, 'ack=4')],
    comesOut: ['>ab', '<xyz', 'capture-ended'],
  },
  {
    title: 'an acknowledgment beyond any window is none',
    segments: [...handshake, '> 1 a ack=1', '> 2 b ack=1500000000', '< 1 xyz'],
    comesOut: ['>ab', '<xyz', 'capture-ended'],
  },
  {
    title: 'acknowledgments of both sides that wait for each other',
    segments: [...handshake, '> 1 a ack=2', '< 1 x ack=2'],
    comesOut: ['>a', '<x', 'capture-ended'],
  },
  {
    title: 'what was sent in the middle of a hole comes in the middle of it',
    segments: [...handshake, '> 1 a ack=1', '> 2 b ack=4', '> 3 c ack=7', '< 10 xyz ack=4'],
    comesOut: ['>a', '<gap 3', '>b', '<gap 3', '>c', '<gap 3', '<xyz', 'capture-ended'],
  },
  {
    title: 'a hole of one direction does not stop what the other waited for',
    segments: [...handshake, '> 4 def ack=1', '< 4 xyz ack=1', '> 7 ack=7', ...idle(40, 'ack=7')],
    comesOut: ['<gap 3', '<xyz', '>gap 3', '>def', 'capture-ended'],
  },
];

for (const { title, segments, comesOut, options } of causes) {
  test(title, (t) => t.deepEqual(reassemble(segments, options), comesOut));
}

const middles: Row[] = [
  {
    title: 'a capture that begins in mid-connection',
    segments: ['> 100 abc ack=50', '< 50 xyz', '> 103 def'],
    comesOut: ['>abc', '<xyz', '>def', 'capture-ended'],
  },
  {
    title: 'a capture that begins with an answer',
    segments: ['< 50 xyz ack=100', '> 100 abc', '< 53 uvw'],
    comesOut: ['<xyz', '>abc', '<uvw', 'capture-ended'],
  },
  {
    title: 'a capture that begins between the copies of a segment',
    segments: ['> 103 def ack=50', '> 100 abc ack=50', '< 50 xyz'],
    comesOut: ['>abcdef', '<xyz', 'capture-ended'],
  },
  {
    title: 'a whole capture in reverse',
    segments: ['> 4 def ack=4', '< 1 xyz ack=4', '> 1 abc ack=1', '> 1 ack=1', '< 0 SYN ack=1', '> 0 SYN'],
    comesOut: ['>abc', '<xyz', '>def', 'capture-ended'],
  },
  {
    title: 'a whole capture in reverse without SYN',
    segments: ['> 4 def ack=4', '< 1 xyz ack=4', '> 1 abc ack=1'],
    comesOut: ['>abc', '<xyz', '>def', 'capture-ended'],
  },
  {
    title: 'one direction only',
    segments: ['> 0 SYN', '> 1 ack=1', '> 1 abc ack=1', '> 4 def ack=1'],
    comesOut: ['>abcdef', 'capture-ended'],
  },
  {
    title: 'one direction only, from its middle',
    segments: ['> 100 abc ack=50', '> 103 def ack=53', '> 106 ghi ack=56'],
    comesOut: ['>abcdefghi', 'capture-ended'],
  },
  {
    title: 'one direction only, with a hole',
    segments: ['> 100 abc ack=50', '> 103 def ack=53', '> 109 jkl ack=56', ...idle(40)],
    comesOut: ['>abcdef', '>gap 3', '>jkl', 'capture-ended'],
  },
  {
    title: 'the SYN late',
    segments: ['> 1 abc ack=1', '> 0 SYN', '< 0 SYN ack=1', '< 1 xyz'],
    comesOut: ['>abc', '<xyz', 'capture-ended'],
  },
  {
    title: 'the SYN late and the first segment lost',
    segments: ['< 0 SYN ack=1', '> 4 def ack=1', '> 0 SYN', '< 1 xyz ack=7'],
    comesOut: ['>gap 3', '>def', '<xyz', 'capture-ended'],
  },
];

for (const { title, segments, comesOut, options } of middles) {
  test(`${title} comes out in order`, (t) => t.deepEqual(reassemble(segments, options), comesOut));
}

const reuse: Row[] = [
  {
    title: 'a new ISN opens a new connection',
    segments: [...handshake, '> 1 abc', '> 0 SYN isn=90000', '< 0 SYN isn=70000', '> 1 def'],
    comesOut: ['>abc', 'closed', '#1 >def', '#1 capture-ended'],
  },
  {
    title: 'a new ISN opens a new connection after a RST',
    segments: [...handshake, '> 1 abc', '< 1 RST', '> 0 SYN isn=90000', '< 0 SYN isn=70000', '> 1 def'],
    comesOut: ['>abc', 'reset', '#1 >def', '#1 capture-ended'],
  },
  {
    title: 'a new ISN opens a new connection after FINs',
    segments: [...handshake, '> 1 abc FIN', '< 1 FIN', '> 5', '> 0 SYN isn=1005', '< 0 SYN isn=5005', '> 1 def'],
    comesOut: ['>abc', ...byFins, '#1 >def', '#1 capture-ended'],
  },
  {
    title: 'the same ISN again opens a new connection once the old one ended',
    segments: [...handshake, '> 1 abc FIN', '< 1 FIN', '> 5', '> 0 SYN', '< 0 SYN ack=1', '> 1 def'],
    comesOut: ['>abc', ...byFins, '#1 >def', '#1 capture-ended'],
  },
  {
    title: 'a copy of the SYN belongs to the running connection',
    segments: ['> 0 SYN', '> 0 SYN', '< 0 SYN', '> 0 SYN', '< 0 SYN ack=1', '> 1 abc', '> 0 SYN'],
    comesOut: ['>abc', 'capture-ended'],
  },
  {
    title: 'late copies of an ended connection are passed over',
    segments: [...handshake, '> 1 abc FIN', '< 1 FIN', '> 5', '> 1 abc FIN', '< 1 FIN', '> 5', '< 1 RST'],
    comesOut: ['>abc', ...byFins],
  },
  {
    title: 'what the old connection held is passed on before the new one opens',
    segments: [...handshake, '> 4 def', '> 0 SYN isn=90000', '> 1 x'],
    comesOut: ['>gap 3', '>def', 'closed', '#1 >x', '#1 capture-ended'],
  },
];

for (const { title, segments, comesOut, options } of reuse) {
  test(title, (t) => t.deepEqual(reassemble(segments, options), comesOut));
}

/** Acknowledgments over so many milliseconds times 50: enough of them, and long enough, for what is waited for. */
function idle(count: number, ack = ''): string[] {
  return Array.from({ length: count }, (_, i) => `> 1 ${ack} t=${1 + i * 0.05}`.replace('  ', ' '));
}
