import test from 'ava';
import { MAX_FRAME_BYTES } from '../../src/limits.ts';
import { pcapFile, tcpConversation } from '../helpers/packets.ts';
import { runCli } from '../helpers/run-cli.ts';
import { sampleFrame } from '../helpers/sample-capture.ts';
import { scratchFile } from '../helpers/scratch.ts';

/** A connection whose first request claims so many bytes. */
function claiming(size: number): Uint8Array {
  const bytes = Uint8Array.from(sampleFrame('request', 1));
  new DataView(bytes.buffer).setInt32(0, size);
  return pcapFile(tcpConversation({ messages: [{ from: 'client', bytes }] }));
}

for (const { size, codes } of [
  { size: MAX_FRAME_BYTES - 1, codes: ['frame-incomplete'] },
  { size: MAX_FRAME_BYTES, codes: ['frame-incomplete'] },
  { size: MAX_FRAME_BYTES + 1, codes: ['not-kafka'] },
]) {
  test(`a first request of ${size} bytes is ${codes[0] === 'not-kafka' ? 'none' : 'believed'}`, async (t) => {
    const { stdout } = await runCli(['--events', scratchFile(t, 'x.pcap', claiming(size))]);
    t.deepEqual(
      [...stdout.matchAll(/"code":"([^"]+)"/g)].map(([, code]) => code),
      codes,
    );
  });
}
