import test from 'ava';
import { apiFacts, apiNames } from '../../src/schema/api-keys.ts';
import type { FieldDefinition, MessageDefinition } from '../../src/schema/definition.ts';
import { describeConfigsRequest, describeConfigsResponse } from '../../src/schema/describe-configs.ts';
import { configOperations, configSources, configTypes, resourceTypes } from '../../src/schema/enums.ts';
import { errorNames } from '../../src/schema/error-codes.ts';
import { requestHeader, responseHeader } from '../../src/schema/headers.ts';
import { messages } from '../../src/schema/messages/messages.ts';
import { hasVersion, parseVersions } from '../../src/schema/versions.ts';
import { readKafkaDefinitions } from '../../tools/kafka-definitions.ts';
import { aheadOf, isGenerated, KAFKA_RELEASES, kafkaClients } from '../../tools/kafka-releases.ts';
import { kafkaFacts, whyNoOracle } from '../helpers/kafka-oracle.ts';
import { mavenJar, whyNoJar } from '../helpers/maven.ts';

/** Versions that a release had as a preview, off by default, and a later one laid out anew. */
const previews: ReadonlySet<string> = new Set(['4.0.0 ReadShareGroupStateSummaryResponse 0', '3.9.1 ReadShareGroupStateSummaryResponse 0']);

type Detail = 'all' | 'bytes';

/** The data's messages, DescribeConfigs from its own file. */
const ours: ReadonlyMap<string, MessageDefinition> = new Map(
  [...messages, describeConfigsRequest, describeConfigsResponse].map((definition) => [keyOf(definition), definition]),
);

const unavailable = whyNoJar(...KAFKA_RELEASES.map(kafkaClients));
const jarTest = unavailable === null ? test : test.skip;
const reason = unavailable === null ? '' : ` (skipped: ${unavailable})`;

function keyOf({ type, apiKey, name }: MessageDefinition): string {
  return `${type} ${apiKey ?? name}`;
}

function definitionsOf(release: string): MessageDefinition[] {
  return readKafkaDefinitions(mavenJar(kafkaClients(release)));
}

function versionsOf({ validVersions }: MessageDefinition): number[] {
  const { first, last } = parseVersions(validVersions);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/**
 * What a message holds in one version, a line a field. `bytes` leaves out the names, which releases changed, and the tagged fields, which
 * they added without a new version.
 */
function layout(definition: MessageDefinition, version: number, detail: Detail): string[] {
  const lines = [`flexible ${hasVersion(definition.flexibleVersions, version)}`];
  const add = (fields: readonly FieldDefinition[], indent: string): void => {
    for (const field of fields) {
      if (!hasVersion(field.versions, version)) continue;
      if (detail === 'bytes' && hasVersion(field.taggedVersions, version)) continue;
      const inner = innerFields(definition, field);
      lines.push(`${indent}${describe(field, version, inner === undefined, detail)}`);
      if (inner !== undefined) add(inner, `${indent}  `);
    }
  };
  add(definition.fields, '');
  return lines;
}

function innerFields({ commonStructs }: MessageDefinition, { type, fields }: FieldDefinition): readonly FieldDefinition[] | undefined {
  return fields ?? commonStructs?.find(({ name }) => type === name || type === `[]${name}`)?.fields;
}

function describe(field: FieldDefinition, version: number, isPrimitive: boolean, detail: Detail): string {
  const withNames = detail === 'all';
  const type = isPrimitive || withNames ? field.type : field.type.replace(/\w+$/, 'struct');
  return [
    withNames ? field.name : '',
    type,
    hasVersion(field.nullableVersions, version) ? 'nullable' : '',
    hasVersion(field.taggedVersions, version) ? `tag ${field.tag}` : '',
    field.flexibleVersions === undefined ? '' : `flexible ${hasVersion(field.flexibleVersions, version)}`,
    withNames && field.default !== undefined ? `= ${field.default}` : '',
  ].join(' ');
}

/** All tagged fields of a version, by their path of tags and positions. */
function taggedFields(definition: MessageDefinition, version: number): Map<string, string> {
  const found = new Map<string, string>();
  const add = (fields: readonly FieldDefinition[], path: string): void => {
    const untagged = fields.filter((field) => hasVersion(field.versions, version) && !hasVersion(field.taggedVersions, version));
    for (const field of fields) {
      if (!hasVersion(field.versions, version)) continue;
      const isTagged = hasVersion(field.taggedVersions, version);
      const own = isTagged ? `${path}/tag ${field.tag}` : `${path}/${untagged.indexOf(field)}`;
      const inner = innerFields(definition, field);
      if (isTagged) found.set(own, describe(field, version, inner === undefined, 'bytes'));
      if (inner !== undefined) add(inner, own);
    }
  };
  add(definition.fields, '');
  return found;
}

for (const release of KAFKA_RELEASES) {
  jarTest(`every message of kafka-clients ${release} is in the data, in every version, with the same bytes${reason}`, (t) => {
    for (const definition of definitionsOf(release)) {
      if (!isGenerated(definition)) continue;
      const known = ours.get(keyOf(definition));
      if (known === undefined) {
        t.fail(`${definition.name} is missing`);
        continue;
      }
      t.true([known.name, ...(known.formerNames ?? [])].includes(definition.name), definition.name);
      for (const version of versionsOf(definition)) {
        const where = `${definition.name} ${version}`;
        t.true(hasVersion(known.validVersions, version), where);
        if (previews.has(`${release} ${where}`)) {
          t.notDeepEqual(layout(known, version, 'bytes'), layout(definition, version, 'bytes'), `${where} is no exception any more`);
          continue;
        }
        t.deepEqual(layout(known, version, 'bytes'), layout(definition, version, 'bytes'), where);
        const tags = taggedFields(known, version);
        for (const [path, field] of taggedFields(definition, version)) t.is(tags.get(path), field, `${where} ${path}`);
      }
    }
  });
}

jarTest(`each version's names, defaults and order are those of the newest release that has it${reason}`, (t) => {
  const compared = new Map<string, Set<number>>();
  const newest = definitionsOf(KAFKA_RELEASES[0]);
  for (const definition of [...newest, ...KAFKA_RELEASES.slice(1).flatMap(definitionsOf), ...aheadOf(newest)]) {
    if (!isGenerated(definition)) continue;
    const known = ours.get(keyOf(definition)) as MessageDefinition;
    const done = compared.get(keyOf(definition)) ?? new Set();
    if (done.size === 0) t.is(known.name, definition.name);
    compared.set(keyOf(definition), done);
    for (const version of versionsOf(definition)) {
      if (done.has(version)) continue;
      done.add(version);
      t.deepEqual(layout(known, version, 'all'), layout(definition, version, 'all'), `${definition.name} ${version}`);
    }
  }
  for (const [key, definition] of ours) {
    const versions = [...(compared.get(key) ?? [])].sort((a, b) => a - b);
    t.deepEqual(versionsOf(definition), versions, `${definition.name} has versions that no release has`);
  }
});

jarTest(`the generated DescribeConfigs equals the one that is kept by hand, and the headers are the jars'${reason}`, (t) => {
  for (const definition of [describeConfigsRequest, describeConfigsResponse]) {
    const generated = messages.find((message) => keyOf(message) === keyOf(definition)) as MessageDefinition;
    t.is(definition.validVersions, generated.validVersions);
    for (const version of versionsOf(definition)) t.deepEqual(layout(definition, version, 'all'), layout(generated, version, 'all'));
  }
  for (const definition of [requestHeader, responseHeader]) {
    const versions = new Set<number>();
    for (const header of KAFKA_RELEASES.flatMap(definitionsOf).filter(({ name }) => name === definition.name)) {
      for (const version of versionsOf(header)) {
        versions.add(version);
        const names = header.fields.filter((field) => hasVersion(field.versions, version)).map((field) => field.name);
        t.deepEqual(
          layout(definition, version, 'bytes').map((line) => line.replace('nullable_string', 'string')),
          layout(header, version, 'bytes'),
        );
        const snake = names.map((name) => name.replaceAll(/(?<!^)([A-Z])/g, '_$1').toLowerCase());
        const present = definition.fields.filter((field) => hasVersion(field.versions, version));
        t.deepEqual(
          present.map((field) => field.name),
          snake,
        );
      }
    }
    t.deepEqual([...versions].sort(), versionsOf(definition));
  }
});

jarTest(`the table of API keys says what the definitions say${reason}`, (t) => {
  const inKafka4 = new Map(definitionsOf(KAFKA_RELEASES[0]).map((definition) => [keyOf(definition), definition]));
  const requests = messages.filter(({ type }) => type === 'request');
  t.deepEqual(
    [...apiNames.keys()],
    requests.map(({ apiKey }) => apiKey as number),
  );
  for (const request of requests) {
    const current = inKafka4.get(keyOf(request));
    const flexible = parseVersions(request.flexibleVersions);
    t.deepEqual(apiFacts(request.apiKey as number), {
      key: request.apiKey as number,
      name: request.name.replace(/Request$/, ''),
      lastVersion: parseVersions(request.validVersions).last,
      flexibleFrom: flexible.first > flexible.last ? null : flexible.first,
      minimumInKafka4: current === undefined ? null : parseVersions(current.validVersions).first,
    });
  }
});

const noOracle = whyNoOracle(KAFKA_RELEASES[0]);
(noOracle === null ? test : test.skip)(
  `codes have the names that Kafka's classes give them${noOracle === null ? '' : ` (skipped: ${noOracle})`}`,
  (t) => {
    const facts = kafkaFacts(KAFKA_RELEASES[0]);
    const tables = { errors: errorNames, resourceTypes, configSources, configTypes, configOperations };
    for (const [name, table] of Object.entries(tables)) {
      t.deepEqual(
        Object.fromEntries([...table].map(([code, text]) => [String(code), text])),
        { ...facts[name as keyof typeof facts] },
        name,
      );
    }
  },
);
