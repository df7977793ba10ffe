import type { StructValue } from '../../src/decode/values.ts';
import { encodeFrame } from '../../src/encode/encode.ts';
import { WireWriter } from '../../src/encode/wire-writer.ts';
import { messages } from '../../src/schema/messages/messages.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import { configsOf, type Described } from './configs.ts';
import type { Random } from './random.ts';

const Api = { produce: 0, fetch: 1, syncGroup: 14, apiVersions: 18, describeConfigs: 32 } as const;
const CLIENT_ID = 'billing-service-7';
const RECORD_BYTES = 400;
const FIXED_SYNC_REQUEST_BYTES = 38;
const FIXED_SYNC_RESPONSE_BYTES = 18;

/** The frames of a request and its response. Their correlation ids are set before each use. */
export interface ExchangeFrames {
  readonly request: Uint8Array;
  readonly response: Uint8Array;
}

/** Makes exchanges as clients and brokers have them, each with the schema's own encoder. */
export class FrameMaker {
  readonly #random: Random;
  readonly #schemas = new Schemas();

  constructor(random: Random) {
    this.#random = random;
    this.#schemas.add(messages);
  }

  /** Produce 7 with one batch of about so many bytes. */
  produce(bytes: number): ExchangeFrames {
    const partitionData = [{ index: this.#random.below(12), records: this.#batch(bytes) }];
    const answered = { index: 0, errorCode: 0, baseOffset: 1_000_000, logAppendTimeMs: -1, logStartOffset: 0 };
    return this.#exchange(
      Api.produce,
      7,
      { transactionalId: null, acks: -1, timeoutMs: 30_000, topicData: [{ name: 'payments', partitionData }] },
      { responses: [{ name: 'payments', partitionResponses: [answered] }], throttleTimeMs: 0 },
    );
  }

  /** Fetch 11 that brings one batch of about so many bytes. */
  fetch(bytes: number): ExchangeFrames {
    const asked = { partition: 3, currentLeaderEpoch: 5, fetchOffset: 1_000_000, logStartOffset: -1, partitionMaxBytes: 1 << 20 };
    const came = { errorCode: 0, highWatermark: 2_000_000, lastStableOffset: 2_000_000, logStartOffset: 0, preferredReadReplica: -1 };
    return this.#exchange(
      Api.fetch,
      11,
      {
        ...{ replicaId: -1, maxWaitMs: 500, minBytes: 1, maxBytes: 50 << 20, isolationLevel: 0, sessionId: 0, sessionEpoch: -1 },
        ...{ topics: [{ topic: 'payments', partitions: [asked] }], forgottenTopicsData: [], rackId: '' },
      },
      {
        ...{ throttleTimeMs: 0, errorCode: 0, sessionId: 0 },
        responses: [
          { topic: 'payments', partitions: [{ partitionIndex: 3, ...came, abortedTransactions: null, records: this.#batch(bytes) }] },
        ],
      },
    );
  }

  /** SyncGroup 3, request and response of so many bytes each. */
  syncGroup(bytes: number): ExchangeFrames {
    const member = { generationId: 12, memberId: 'consumer-1', groupInstanceId: null, assignments: [] };
    return this.#exchange(
      Api.syncGroup,
      3,
      { groupId: 'g'.repeat(bytes - FIXED_SYNC_REQUEST_BYTES - CLIENT_ID.length), ...member },
      { throttleTimeMs: 0, errorCode: 0, assignment: Buffer.alloc(bytes - FIXED_SYNC_RESPONSE_BYTES).toString('base64') },
    );
  }

  /** ApiVersions 3. */
  apiVersions(): ExchangeFrames {
    const apiKeys = Array.from({ length: 60 }, (_, apiKey) => ({ apiKey, minVersion: 0, maxVersion: 9 }));
    const request = { clientSoftwareName: 'apache-kafka-java', clientSoftwareVersion: '4.1.0' };
    return this.#exchange(Api.apiVersions, 3, request, { errorCode: 0, apiKeys, throttleTimeMs: 0 });
  }

  /** DescribeConfigs with all keys, synonyms and documentation, as far as the version has them. */
  describeConfigs(version: number, resources: readonly Described[]): ExchangeFrames {
    const asked = resources.map(({ resourceType, resourceName }) => ({ resourceType, resourceName, configurationKeys: null }));
    const results = resources.map((resource) => ({
      ...{ errorCode: 0, errorMessage: '', ...resource },
      configs: configsOf(resource, this.#random),
    }));
    return this.#exchange(
      Api.describeConfigs,
      version,
      { resources: asked, includeSynonyms: true, includeDocumentation: true },
      { throttleTimeMs: 0, results },
    );
  }

  #exchange(apiKey: number, version: number, request: StructValue, response: StructValue): ExchangeFrames {
    return { request: this.#frame(apiKey, version, 'request', request), response: this.#frame(apiKey, version, 'response', response) };
  }

  #frame(apiKey: number, version: number, side: 'request' | 'response', body: StructValue): Uint8Array {
    const plan = this.#schemas.plan(apiKey, version, side);
    if (plan === null) throw new Error(`no schema for the ${side} of API ${apiKey} version ${version}`);
    return encodeFrame(plan, { correlationId: 0, clientId: CLIENT_ID }, body);
  }

  /** A record batch of format 2 in base64, its CRC left 0. The values are JSON with much that repeats, as values are. */
  #batch(bytes: number): string {
    const count = Math.max(1, Math.round(bytes / RECORD_BYTES));
    const records = new WireWriter();
    for (let i = 0; i < count; i++) this.#record(records, i);
    const content = records.take();
    const batch = new WireWriter();
    batch.int64(0n);
    batch.int32(content.length + 49);
    batch.int32(5);
    batch.int8(2);
    batch.int32(0);
    batch.int16(0);
    batch.int32(count - 1);
    batch.int64(1_795_910_400_000n);
    batch.int64(1_795_910_400_000n);
    batch.int64(-1n);
    batch.int16(-1);
    batch.int32(-1);
    batch.int32(count);
    batch.bytes(content);
    return Buffer.from(batch.take()).toString('base64');
  }

  #record(out: WireWriter, offset: number): void {
    const random = this.#random;
    const value = Buffer.from(
      JSON.stringify({
        ...{ event: 'payment-authorized', account: random.below(1e9), amount: random.below(1e6) / 100, currency: 'EUR' },
        ...{
          merchant: `merchant-${random.below(5000)}`,
          trace: Array.from({ length: 20 }, () => random.below(2 ** 32).toString(16)).join(''),
        },
        ...{ status: 'pending', attempts: random.below(4), source: 'checkout', terminal: random.below(1e6), note: '' },
      }),
    );
    const record = new WireWriter();
    record.int8(0);
    record.varint(0);
    record.varint(2 * offset);
    record.varint(1);
    record.varint(2 * value.length);
    record.bytes(value);
    record.varint(0);
    const content = record.take();
    out.varint(2 * content.length);
    out.bytes(content);
  }
}

/** Sets the correlation ids of both frames. */
export function setCorrelationId({ request, response }: ExchangeFrames, id: number): void {
  new DataView(request.buffer, request.byteOffset).setInt32(8, id);
  new DataView(response.buffer, response.byteOffset).setInt32(4, id);
}
