import { SCHEMA_VERSION } from '../../records/records.ts';
import { describeConfigsRequest, describeConfigsResponse } from '../../schema/describe-configs.ts';
import { answerSchemas } from './answer-schema.ts';
import { bodySchema } from './body-schema.ts';
import { diagnosticSchema, exchangeSchema, summarySchema } from './exchange-schema.ts';
import type { JsonSchema } from './json-schema.ts';

const DESCRIBE_CONFIGS = 32;

/** The JSON Schema (draft 2020-12) of every record that is printed as a line of NDJSON, by whichever command. `type` tells them apart. */
export function recordSchema(): JsonSchema {
  const records: Readonly<Record<string, JsonSchema>> = {
    exchange: { ...exchangeSchema.json, allOf: [describeConfigsBodies] },
    diagnostic: diagnosticSchema.json,
    summary: summarySchema.json,
    ...Object.fromEntries(Object.entries(answerSchemas).map(([type, { json }]) => [type, json])),
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:kafka-dissect:records:${SCHEMA_VERSION}`,
    title: 'Records of kafka-dissect',
    description: 'One line of NDJSON is one of these, told apart by its type',
    oneOf: Object.keys(records).map((type) => ({ $ref: `#/$defs/${type}` })),
    $defs: {
      ...records,
      describeConfigsRequest: bodySchema(describeConfigsRequest),
      describeConfigsResponse: bodySchema(describeConfigsResponse),
    },
  };
}

/** Bodies of other APIs are as Kafka's message definitions have them. */
const describeConfigsBodies: JsonSchema = {
  if: { properties: { apiKey: { const: DESCRIBE_CONFIGS } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: {
    properties: {
      request: { anyOf: [{ $ref: '#/$defs/describeConfigsRequest' }, { type: 'null' }] },
      response: { anyOf: [{ $ref: '#/$defs/describeConfigsResponse' }, { type: 'null' }] },
    },
  },
};
