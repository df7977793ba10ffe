import test from 'ava';
import { codedField, codeName, configSources, configTypes, resourceTypes } from '../../src/schema/enums.ts';
import { errorNames } from '../../src/schema/error-codes.ts';

const names: readonly (readonly [ReadonlyMap<number, string>, number, string])[] = [
  [errorNames, -1, 'UNKNOWN_SERVER_ERROR'],
  [errorNames, 0, 'NONE'],
  [errorNames, 3, 'UNKNOWN_TOPIC_OR_PARTITION'],
  [errorNames, 29, 'TOPIC_AUTHORIZATION_FAILED'],
  [errorNames, 42, 'INVALID_REQUEST'],
  [errorNames, 100, 'UNKNOWN_TOPIC_ID'],
  [errorNames, 133, 'SHARE_SESSION_LIMIT_REACHED'],
  [errorNames, 134, 'UNKNOWN(134)'],
  [errorNames, -2, 'UNKNOWN(-2)'],
  [resourceTypes, 0, 'UNKNOWN'],
  [resourceTypes, 8, 'BROKER_LOGGER'],
  [resourceTypes, 32, 'GROUP'],
  [resourceTypes, 1, 'UNKNOWN(1)'],
  [configSources, 1, 'DYNAMIC_TOPIC_CONFIG'],
  [configSources, 8, 'DYNAMIC_GROUP_CONFIG'],
  [configSources, -1, 'UNKNOWN(-1)'],
  [configTypes, 9, 'PASSWORD'],
  [configTypes, 127, 'UNKNOWN(127)'],
];

for (const [table, code, name] of names) {
  test(`the code ${code} is called ${name}`, (t) => {
    t.is(codeName(table, code), name);
  });
}

const fields: readonly (readonly [apiKey: number, field: string, type: string, nameMember: string | null])[] = [
  [32, 'ResourceType', 'int8', 'resourceTypeName'],
  [32, 'ConfigSource', 'int8', 'configSourceName'],
  [32, 'Source', 'int8', 'sourceName'],
  [32, 'ConfigType', 'int8', 'configTypeName'],
  [32, 'ErrorCode', 'int16', 'errorName'],
  [3, 'ErrorCode', 'int16', 'errorName'],
  [19, 'TopicConfigErrorCode', 'int16', 'topicConfigErrorName'],
  [44, 'ConfigOperation', 'int8', 'configOperationName'],
];

for (const [apiKey, field, type, nameMember] of fields) {
  test(`${field} of API ${apiKey} has its name in ${nameMember}`, (t) => {
    t.is(codedField(apiKey, field, type)?.nameMember, nameMember);
  });
}

test("the resource types of ACLs are another enum, which isn't named", (t) => {
  t.is(codedField(30, 'ResourceType', 'int8'), null);
});
