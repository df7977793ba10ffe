import type { FieldDefinition, MessageDefinition } from '../src/schema/definition.ts';

/**
 * Releases whose definitions make the union, newest first: 3.9 is the last that has every version from 0 on, the newer ones add what came,
 * and went, since; 2.8 tells former names.
 */
export const KAFKA_RELEASES = ['4.3.0', '4.2.0', '4.1.0', '4.0.0', '3.9.1', '2.8.2'] as const;

/** Maven coordinates of a release's client library. */
export function kafkaClients(release: string): string {
  return `org.apache.kafka:kafka-clients:${release}`;
}

/** Versions that clients send before a release of Kafka has them, made from the newest release's definitions. */
export function aheadOf(newest: readonly MessageDefinition[]): MessageDefinition[] {
  // KIP-1242: franz-go opens its connections with ApiVersions 5. Its response is laid out as version 4.
  const added: FieldDefinition[] = [
    { name: 'ClusterId', type: 'string', versions: '5+', nullableVersions: '5+', default: 'null' },
    { name: 'NodeId', type: 'int32', versions: '5+', default: '-1' },
  ];
  return newest
    .filter(({ apiKey }) => apiKey === 18)
    .map((definition) => ({
      ...definition,
      validVersions: '5',
      fields: [...definition.fields, ...(definition.type === 'request' ? added : [])],
    }));
}

/**
 * Whether the generated data has a message: all that cross the wire, and the principal inside an Envelope. The headers are kept by hand,
 * with their texts.
 */
export function isGenerated({ type, name }: MessageDefinition): boolean {
  return type === 'request' || type === 'response' || name === 'DefaultPrincipalData';
}
