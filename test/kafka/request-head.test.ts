import test from 'ava';
import { isPlausibleHead, isPossibleHead, isUnanswered, readRequestHead, requestHeadBytes } from '../../src/kafka/request-head.ts';
import { request } from '../helpers/kafka-script.ts';
import { hex } from '../helpers/packets.ts';

const heads = [
  {
    title: 'a client id',
    bytes: request(32, 1, 7, [9, 9, 9], 'adm'),
    head: { apiKey: 32, apiVersion: 1, correlationId: 7, clientIdLength: 3 },
    headBytes: 17,
  },
  {
    title: 'an empty client id',
    bytes: request(32, 1, 7, [9, 9, 9], ''),
    head: { apiKey: 32, apiVersion: 1, correlationId: 7, clientIdLength: 0 },
    headBytes: 14,
  },
  {
    title: 'a null client id',
    bytes: request(32, 1, -7, [9, 9, 9], null),
    head: { apiKey: 32, apiVersion: 1, correlationId: -7, clientIdLength: -1 },
    headBytes: 14,
  },
  {
    title: 'no client id, as in ControlledShutdown 0',
    bytes: hex('0000000c 0007 0000 00000005 00000001'),
    head: { apiKey: 7, apiVersion: 0, correlationId: 5, clientIdLength: -1 },
    headBytes: 14,
  },
  {
    title: 'acks',
    bytes: request(0, 2, 7, [0, 1, 0, 0, 0, 0]),
    head: { apiKey: 0, apiVersion: 2, correlationId: 7, clientIdLength: 3 },
    headBytes: 19,
  },
  {
    title: 'acks behind a null transactional id',
    bytes: request(0, 3, 7, [255, 255, 0, 1, 0, 0, 0, 0]),
    head: { apiKey: 0, apiVersion: 3, correlationId: 7, clientIdLength: 3 },
    headBytes: 21,
  },
  {
    title: 'acks behind a transactional id',
    bytes: request(0, 8, 7, [0, 2, 65, 65, 0, 1, 0, 0]),
    head: { apiKey: 0, apiVersion: 8, correlationId: 7, clientIdLength: 3 },
    headBytes: 23,
  },
  {
    title: 'acks behind tags and a compact transactional id',
    bytes: request(0, 9, 7, [0, 3, 65, 65, 0, 1, 0, 0]),
    head: { apiKey: 0, apiVersion: 9, correlationId: 7, clientIdLength: 3 },
    headBytes: 23,
  },
];

for (const { title, bytes, head, headBytes } of heads) {
  test(`a request's head with ${title} is read when it is all there, and not before`, (t) => {
    const size = bytes.length - 4;
    let needed = 4;
    let asked = 0;
    for (let available = 4; available <= bytes.length; available++) {
      if (available < needed) continue;
      const now = requestHeadBytes(bytes.subarray(0, available), 0, available, size);
      if (now <= available) break;
      t.true(now <= bytes.length);
      needed = now;
      asked++;
    }
    t.is(needed, headBytes);
    t.true(asked < 6);
    t.deepEqual(readRequestHead(bytes, 0, headBytes), head);
  });
}

const acks = [
  { title: 'Produce 2 with acks 0', bytes: request(0, 2, 7, [0, 0, 0, 0, 0, 9]), unanswered: true },
  { title: 'Produce 2 with acks -1', bytes: request(0, 2, 7, [255, 255, 0, 0, 0, 9]), unanswered: false },
  { title: 'Produce 3 with acks 0', bytes: request(0, 3, 7, [0, 1, 65, 0, 0, 0, 0]), unanswered: true },
  { title: 'Produce 9 with acks 0', bytes: request(0, 9, 7, [0, 0, 0, 0, 0, 0]), unanswered: true },
  { title: 'Produce 9 with acks 0 and tagged fields in its header', bytes: request(0, 9, 7, [1, 0, 0, 0, 0, 0]), unanswered: false },
  { title: 'Fetch with zeros where Produce has its acks', bytes: request(1, 2, 7, [0, 0, 0, 0, 0, 9]), unanswered: false },
];
for (const { title, bytes, unanswered } of acks) {
  test(`${title} is ${unanswered ? 'never' : 'perhaps'} answered`, (t) => t.is(isUnanswered(bytes, 0, bytes.length), unanswered));
}

const likelihoods = [
  { title: 'a known API and version', bytes: request(32, 4, 1), possible: true, plausible: true },
  { title: 'a version of a near future', bytes: request(32, 10, 1), possible: true, plausible: true },
  { title: 'a version of a far future', bytes: request(32, 999, 1), possible: true, plausible: false },
  { title: 'a negative version', bytes: request(32, -1, 1), possible: false, plausible: false },
  { title: 'an unknown API', bytes: request(999, 0, 1), possible: false, plausible: false },
  { title: 'a client id with controls', bytes: request(32, 1, 1, [], 'a\u0000b'), possible: true, plausible: false },
  {
    title: 'a client id with a tab, a line break and other writing',
    bytes: request(32, 1, 1, [], 'ä\t日\n'),
    possible: true,
    plausible: true,
  },
  { title: 'a client id beyond the frame', bytes: hex('0000000c 0020 0001 00000001 7fff 0000'), possible: false, plausible: false },
  { title: 'a client id of length -2', bytes: hex('0000000c 0020 0001 00000001 fffe 0000'), possible: false, plausible: false },
  { title: 'a size too small for a header', bytes: hex('00000007 0020 0001 000001 00000000000000'), possible: false, plausible: false },
  {
    title: 'a header without client id where the API has one',
    bytes: hex('00000008 0020 0001 00000001 000000000000'),
    possible: false,
    plausible: false,
  },
  {
    title: 'a header without client id where the API has none',
    bytes: hex('00000008 0007 0000 00000001 000000000000'),
    possible: true,
    plausible: true,
  },
];
for (const { title, bytes, possible, plausible } of likelihoods) {
  test(`a head with ${title} is ${possible ? 'possible' : 'impossible'} and ${plausible ? 'plausible' : 'implausible'}`, (t) => {
    const size = new DataView(bytes.buffer).getInt32(0);
    t.is(isPossibleHead(bytes, 0, bytes.length, size), possible);
    t.is(isPlausibleHead(bytes, 0, bytes.length, size), plausible);
  });
}
