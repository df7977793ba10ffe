import type { Reason, Status } from '../kafka/exchange.ts';

const reasonWords: Readonly<Record<Reason, string>> = {
  'connection-reset': 'connection reset',
  'connection-closed': 'connection closed',
  'capture-ended': 'capture ended',
  'no-server-packets': 'no packets from the server captured',
  'not-answered-in-order': 'later requests were answered first',
  gap: 'packets missing from the capture',
  snaplen: 'packets cut by the snapshot length',
  malformed: 'malformed',
  'version-unsupported': 'no schema for this version',
  evicted: 'too many open requests or connections',
  'no-answer-asked': 'none was asked for (acks 0)',
  'frame-too-large': 'frame over the size limit',
};

/** Why an exchange isn't complete, in words. */
export function reasonText(reason: Reason): string {
  return reasonWords[reason];
}

/** Why there is no response, to stand behind that there is none. That its version has no schema is no reason. */
export function missingReason(reason: Reason | null): string {
  return reason === null || reason === 'version-unsupported' ? '' : `: ${reasonWords[reason]}`;
}

/** What became of an exchange, in words: `partial: bytes missing from the capture`. */
export function statusText(status: Status, reason: Reason | null): string {
  return reason === null ? status : `${status}: ${reasonWords[reason]}`;
}

/** `1 byte`, `24 bytes`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
