import { readdirSync } from 'node:fs';
import type { Segment } from '../../src/net/segment.ts';
import { readPackets, segmentsOf } from '../helpers/dissect-packets.ts';

/** Captures that hold what their properties are about: whole, in plain text, and small. */
const LEFT_OUT = ['tls', 'rotated', 'gap', 'incident'];

export interface SmallCapture {
  readonly name: string;
  readonly segments: readonly Segment[];
}

/** The segments of the small captures in `captures/`. */
export function smallCaptures(): Promise<SmallCapture[]> {
  const names = readdirSync('captures').filter((name) => name.includes('.pcap') && !LEFT_OUT.some((word) => name.includes(word)));
  return Promise.all(names.map(async (name) => ({ name, segments: segmentsOf(await readPackets(`captures/${name}`)) })));
}
