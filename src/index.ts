/**
 * Reads packet captures and gives the Kafka exchanges in them, decoded.
 *
 * ```ts
 * import { dissect } from 'kafka-dissect';
 *
 * for await (const exchange of dissect('capture.pcap', { filter: { resource: 'topic:orders' } })) {
 *   console.log(exchange.time, exchange.clientId, exchange.response);
 * }
 * ```
 *
 * @module
 */
export type { FilterOptions } from './analysis/filters/filter-options.ts';
export type { StructValue, Value } from './decode/values.ts';
export type { DiagnosticCode, Severity, Side } from './diagnostics.ts';
export type { CaptureInput } from './dissection.ts';
export { CaptureError, FilterError } from './errors.ts';
export { type DissectSettings, dissect } from './exchange-stream.ts';
export type { Reason, Status } from './kafka/exchange.ts';
export type { JsonSchema } from './output/schema/json-schema.ts';
export { recordSchema } from './output/schema/record-schema.ts';
export type { ExchangeDetailRecord, FramePacketRecord } from './records/exchange-detail.ts';
export type {
  DiagnosticRecord,
  ErrorRecord,
  ExchangeRecord,
  ForwardedRecord,
  FrameRecord,
  SaslRecord,
  SummaryRecord,
  UnknownTagRecord,
} from './records/records.ts';
export type {
  AlterationRow,
  ApiRow,
  BelowKafka4Row,
  CaptureRow,
  CauseMembers,
  ChangeMembers,
  ChangeRow,
  ClientRow,
  CreatedRow,
  DifferenceRow,
  ExposureRow,
  NotKafkaRow,
  Operation,
  PacketRef,
  Percentiles,
  RefusalRow,
  ResourceMembers,
  SideValue,
  Software,
  SourcedValue,
  SummaryRow,
  TimelineRow,
  UnsupportedRow,
  ValueRow,
} from './records/rows.ts';
