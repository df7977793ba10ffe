import { isFlexible } from './api-keys.ts';
import type { MessageDefinition } from './definition.ts';

const API_VERSIONS = 18;
const CONTROLLED_SHUTDOWN = 7;

/** What stands before a request's body (`RequestHeader.json`); the field names and meanings are those of the message pages. */
export const requestHeader: MessageDefinition = {
  type: 'header',
  name: 'RequestHeader',
  validVersions: '0-2',
  flexibleVersions: '2+',
  fields: [
    { name: 'request_api_key', type: 'int16', versions: '0+', about: 'numeric id of the API being invoked' },
    { name: 'request_api_version', type: 'int16', versions: '0+', about: 'version of the API being invoked' },
    { name: 'correlation_id', type: 'int32', versions: '0+', about: 'echoed back by the broker in the response' },
    {
      name: 'client_id',
      type: 'nullable_string',
      versions: '1+',
      nullableVersions: '1+',
      flexibleVersions: 'none',
      about: 'always a non-flexible int16-prefixed string',
    },
  ],
};

/** What stands before a response's body (`ResponseHeader.json`). */
export const responseHeader: MessageDefinition = {
  type: 'header',
  name: 'ResponseHeader',
  validVersions: '0-1',
  flexibleVersions: '1+',
  fields: [{ name: 'correlation_id', type: 'int32', versions: '0+', about: 'matches the correlation_id of the request' }],
};

/** What stands before data that Kafka keeps in a field of bytes (`MessageUtil.toVersionPrefixedBytes`). */
export const versionPrefix: MessageDefinition = {
  type: 'header',
  name: 'Version',
  validVersions: '0',
  flexibleVersions: 'none',
  fields: [{ name: 'version', type: 'int16', versions: '0+', about: 'version of the data that follow' }],
};

/** Whether a request's header has a client id: all but that of ControlledShutdown 0 (`ApiMessageTypeGenerator.java`). */
export function hasClientId(apiKey: number, version: number): boolean {
  return apiKey !== CONTROLLED_SHUTDOWN || version !== 0;
}

/**
 * The version of a request's header: 2 for flexible versions, else 1; only ControlledShutdown 0 has version 0, without client id
 * (`ApiMessageTypeGenerator.java`). Null for an unknown API.
 */
export function requestHeaderVersion(apiKey: number, version: number): number | null {
  const flexible = isFlexible(apiKey, version);
  if (flexible === null) return null;
  if (!hasClientId(apiKey, version)) return 0;
  return flexible ? 2 : 1;
}

/**
 * The version of a response's header: 1 for flexible versions, else 0, and 0 for every ApiVersions response, which must be readable
 * before versions are agreed (KIP-511). Null for an unknown API.
 */
export function responseHeaderVersion(apiKey: number, version: number): number | null {
  const flexible = isFlexible(apiKey, version);
  if (flexible === null) return null;
  return flexible && apiKey !== API_VERSIONS ? 1 : 0;
}
