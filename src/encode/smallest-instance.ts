import type { StructValue, Value } from '../decode/values.ts';
import { Kind, type MessagePlan, type PlanNode } from '../schema/plan.ts';
import { encodeFrame } from './encode.ts';

/** CRC-32C of the 40 bytes that follow it in an empty batch, all of them zero. */
const EMPTY_BATCH_CHECKSUM = 0x595fb7dd;

/**
 * The smallest legal instance of a message as the message pages show it: numbers are zero, strings and bytes empty, arrays have one element,
 * records hold one empty batch; no tagged fields.
 */
export function smallestInstance(plan: MessagePlan): Uint8Array {
  return encodeFrame(plan, { correlationId: 0, clientId: '' }, smallestStruct(plan.body));
}

function smallestStruct(node: PlanNode): StructValue {
  const value: StructValue = {};
  for (const field of node.fields) if (field.kind !== Kind.tags) value[field.jsonName] = smallestValue(field);
  return value;
}

function smallestValue(node: PlanNode): Value {
  switch (node.kind) {
    case Kind.bool:
      return false;
    case Kind.string:
    case Kind.bytes:
      return '';
    case Kind.uuid:
      return 'A'.repeat(22);
    case Kind.records:
      return emptyRecordBatch();
    case Kind.array:
      return [smallestValue(node.element as PlanNode)];
    case Kind.struct:
      return smallestStruct(node);
    default:
      return 0;
  }
}

/** Base64 of a RecordBatch of version 2 without records: 61 bytes, zeros but for the length of what follows it, version and checksum. */
function emptyRecordBatch(): string {
  const batch = Buffer.alloc(61);
  batch.writeInt32BE(49, 8);
  batch.writeInt8(2, 16);
  batch.writeUInt32BE(EMPTY_BATCH_CHECKSUM, 17);
  return batch.toString('base64');
}
