import { stat } from 'node:fs/promises';
import type { DiagnosticSink } from '../diagnostics.ts';
import { CaptureError } from '../errors.ts';
import { MERGED_READ_BYTES } from '../limits.ts';
import { Lane } from './lane.ts';
import { MergedReader } from './merged-reader.ts';
import { type OpenOptions, openCapture } from './open-capture.ts';
import type { CaptureInput } from './open-source.ts';
import { Step } from './packet.ts';
import type { CaptureReader } from './record-reader.ts';

const silent: DiagnosticSink = { report() {} };

/**
 * Opens captures, to be read as one: packets in the order of time, those of each capture in its own order even where its times go backwards,
 * those without a time right behind the one before them, and at the same time those of the capture named first. One capture is read as it is.
 * A capture that can't be opened is reported as `capture-unreadable`, and the others are read all the same.
 *
 * Each file of several is looked into for its first time, closed, and opened again when the others have come to that time: hundreds of
 * rotated files cost the memory and descriptors of those that overlap.
 */
export async function openCaptures(inputs: readonly CaptureInput[], diagnostics: DiagnosticSink): Promise<CaptureReader> {
  const readBytes = inputs.length > 1 ? { readBytes: MERGED_READ_BYTES } : {};
  const open = (lane: Lane, sink = diagnostics) =>
    openOrReport(lane.input, { capture: lane.capture, diagnostics: sink, ...readBytes }, diagnostics);
  const lanes = inputs.map((input, capture) => new Lane(input, capture));
  const [only] = lanes;
  if (lanes.length === 1 && only !== undefined) return (await open(only)) ?? new MergedReader([], 0, open);

  const readable: Lane[] = [];
  let inputBytes: number | undefined = 0;
  for (const lane of lanes) {
    if (lane.input === '-' && inputs.indexOf('-') < lane.capture) {
      diagnostics.report({ code: 'capture-unreadable', message: 'standard input can be read only once', capture: lane.capture });
      continue;
    }
    const reopens = await isFile(lane.input);
    const reader = await open(lane, reopens ? silent : diagnostics);
    if (reader === null) continue;
    readable.push(lane);
    inputBytes = inputBytes === undefined || reader.inputBytes === undefined ? undefined : inputBytes + reader.inputBytes;
    await beginLane(lane, reader);
    if (reopens) {
      await reader.close();
      lane.ready = false;
    } else lane.reader = reader;
  }
  return new MergedReader(readable, inputBytes, open);
}

/** Reads up to the first packet, for its time. */
async function beginLane(lane: Lane, reader: CaptureReader): Promise<void> {
  let step = reader.next();
  for (; step === Step.starved; step = reader.next()) await reader.fill();
  if (step !== Step.packet) return;
  lane.ready = true;
  lane.setTime(reader.packet);
}

async function openOrReport(input: CaptureInput, options: OpenOptions, diagnostics: DiagnosticSink): Promise<CaptureReader | null> {
  try {
    return await openCapture(input, options);
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error;
    diagnostics.report({ code: 'capture-unreadable', message: error.reason, capture: options.capture });
    return null;
  }
}

/** A file by its name can be opened a second time, a pipe can't. */
async function isFile(input: CaptureInput): Promise<boolean> {
  if (typeof input !== 'string' || input === '-') return false;
  return (await stat(input).catch(() => null))?.isFile() ?? false;
}
