import { isIP } from 'node:net';
import type { PacketPosition } from '../capture/packet.ts';
import type { Exchange } from '../kafka/exchange.ts';
import { hostOf, portOf } from '../records/address.ts';
import { captureName } from '../records/capture-name.ts';
import type { ExchangeDetail, ExchangeDetailRecord, FramePacket, FramePacketRecord } from '../records/exchange-detail.ts';
import { isoTime } from '../records/time.ts';
import { paint, type Theme } from './theme.ts';
import { counted } from './words.ts';

export function exchangeDetailRecord(detail: ExchangeDetail): ExchangeDetailRecord {
  const { requestFirst, requestLast, responseFirst, responseLast, ...millis } = detail.timing;
  return {
    type: 'exchange-detail',
    number: detail.number,
    times: {
      requestFirst: isoTime(requestFirst),
      requestLast: requestLast && isoTime(requestLast),
      responseFirst: responseFirst && isoTime(responseFirst),
      responseLast: responseLast && isoTime(responseLast),
    },
    ...millis,
    requestPackets: packetRecords(detail.requestPackets, detail.captures),
    responsePackets: packetRecords(detail.responsePackets, detail.captures),
    wireshark: {
      displayFilter: displayFilter(detail),
      frameFilter: frameFilter(detail),
      decodeAs: `tcp.port==${portOf(detail.exchange.connection.server)},kafka`,
    },
  };
}

function packetRecords(packets: readonly FramePacket[] | null, captures: readonly string[]): FramePacketRecord[] | null {
  if (packets === null) return null;
  return packets.map(({ at, bytes, isRepeat }) => ({
    packet: at.number,
    ...(captures.length > 1 ? { capture: captureName(captures, at.capture) } : {}),
    time: isoTime(at),
    bytes,
    isRepeat,
  }));
}

/** Wireshark numbers the connections of each file on its own: where several are read, addresses and ports name the connection. */
function displayFilter({ exchange, captures }: ExchangeDetail): string {
  const { stream, client, server } = exchange.connection;
  const connection = captures.length > 1 ? `${endpointFilter(client)} and ${endpointFilter(server)}` : `tcp.stream eq ${stream}`;
  return `${connection} and kafka.correlation_id == ${exchange.correlationId}`;
}

/** Where a pseudonym stands for the address, the port has to do. */
function endpointFilter(endpoint: string): string {
  const address = hostOf(endpoint);
  const port = `tcp.port == ${portOf(endpoint)}`;
  return isIP(address) === 0 ? port : `${address.includes(':') ? 'ipv6' : 'ip'}.addr == ${address} and ${port}`;
}

/** The packets by their numbers: those found, or else the first and the last of each frame. */
function frameFilter({ exchange, requestPackets, responsePackets }: ExchangeDetail): string {
  const { request, response } = exchange;
  const numbers = [
    ...(requestPackets?.map(({ at }) => at.number) ?? endsOf(request.first, request.last)),
    ...(responsePackets?.map(({ at }) => at.number) ?? (response === null ? [] : endsOf(response.first, response.last))),
  ];
  return `frame.number in {${ranges([...new Set(numbers)].sort((a, b) => a - b)).join(', ')}}`;
}

function endsOf(first: PacketPosition, last: PacketPosition | null): number[] {
  return last === null ? [first.number] : [first.number, last.number];
}

function ranges(numbers: readonly number[]): string[] {
  const found: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const range = found.at(-1);
    if (range?.last === number - 1) range.last = number;
    else found.push({ first: number, last: number });
  }
  return found.map(({ first, last }) => (first === last ? String(first) : `${first}..${last}`));
}

/** The record for the eye, in lines. `time` writes a packet's time. */
export function detailLines(detail: ExchangeDetail, theme: Theme, time: (at: PacketPosition) => string | null): string[] {
  const { timing } = detail;
  const { wireshark } = exchangeDetailRecord(detail);
  return [
    paint(theme.heading, 'Time'),
    instant('request, first byte', timing.requestFirst, '', time),
    instant('request, last byte', timing.requestLast, span(timing.requestMs, 'transfer'), time),
    instant('response, first byte', timing.responseFirst, span(timing.brokerMs, 'broker'), time),
    instant('response, last byte', timing.responseLast, span(timing.responseMs, 'transfer'), time),
    `  latency               ${millis(timing.latencyMs)}, from the last byte of the request to that of the response`,
    `  throttle time         ${timing.throttleMs === null ? 'not known' : `${timing.throttleMs} ms, as the response says`}`,
    "  Times are those of the capture: the network between it and the broker counts as the broker's.",
    '',
    paint(theme.heading, 'Packets'),
    ...packetLines('request', detail.requestPackets, detail.exchange.request, detail, time),
    ...(detail.exchange.response === null
      ? ['  response              none seen']
      : packetLines('response', detail.responsePackets, detail.exchange.response, detail, time)),
    '',
    paint(theme.heading, 'Wireshark'),
    `  display filter        ${wireshark.displayFilter}`,
    `  by packet numbers     ${wireshark.frameFilter}`,
    `  tshark -r CAPTURE -d ${wireshark.decodeAs} -Y '${wireshark.displayFilter}'`,
  ];
}

const LABEL_COLUMNS = 22;

function instant(label: string, at: PacketPosition | null, note: string, time: (at: PacketPosition) => string | null): string {
  const text = at === null ? 'not in the capture' : `${time(at) ?? 'time not known'}  packet ${at.number}`;
  return `  ${label.padEnd(LABEL_COLUMNS)}${text}${note === '' || at === null ? '' : `  ${note}`}`;
}

function span(value: number | null, what: string): string {
  return value === null ? `${what} time not known` : `${what} ${millis(value)}`;
}

function millis(value: number | null): string {
  return value === null ? 'not known' : `${value.toFixed(3)} ms`;
}

function packetLines(
  label: string,
  packets: readonly FramePacket[] | null,
  frame: Exchange['request'],
  { captures }: ExchangeDetail,
  time: (at: PacketPosition) => string | null,
): string[] {
  if (packets === null) {
    const last = frame.last === null ? 'its end is not in the capture' : `last ${frame.last.number}`;
    return [
      `  ${label.padEnd(LABEL_COLUMNS)}first ${frame.first.number}, ${last}; those between were not looked for, or not found for sure`,
    ];
  }
  const repeats = packets.filter(({ isRepeat }) => isRepeat).length;
  const found = `${counted(packets.length, 'packet')}${repeats === 0 ? '' : `, ${repeats} of them again what others had held`}`;
  const lines = packets.map(({ at, bytes, isRepeat }) => {
    const capture = captures.length > 1 ? `${captureName(captures, at.capture)} ` : '';
    return `    ${capture}${at.number}  ${time(at) ?? 'time not known'}  ${counted(bytes, 'byte')}${isRepeat ? ', repeated' : ''}`;
  });
  return [`  ${label.padEnd(LABEL_COLUMNS)}${found}`, ...lines];
}
