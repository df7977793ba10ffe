import type { PacketPosition } from '../capture/packet.ts';
import type { Decoded } from '../decode/decoded.ts';
import { bodyValue, type StructValue } from '../decode/values.ts';
import type { ChangeMembers } from '../records/rows.ts';
import { codeName, configOperations } from '../schema/enums.ts';
import { numberIn, structsIn, textIn } from './struct-values.ts';

export const CREATE_TOPICS = 19;
export const ALTER_CONFIGS = 33;
export const INCREMENTAL_ALTER_CONFIGS = 44;

/** What a request does to one config. Values may be secrets. */
export interface ConfigChange {
  readonly key: string;
  readonly op: ChangeMembers['op'];
  readonly value: string | null;
}

/** One resource that a request alters, or one topic that it creates. */
export interface WrittenResource {
  readonly type: number;
  readonly name: string;
  readonly changes: readonly ConfigChange[];
  /** Null where the answer wasn't seen. */
  readonly errorCode: number | null;
}

/** Who sent a request, and when. */
export interface Sender {
  readonly clientId: string | null;
  /** Without port where it stands in an Envelope. */
  readonly client: string;
  readonly server: string;
  principal: string | null;
}

/** An AlterConfigs, IncrementalAlterConfigs or CreateTopics. */
export interface Write extends Sender {
  readonly apiKey: number;
  readonly apiVersion: number;
  readonly correlationId: number;
  readonly validateOnly: boolean;
  readonly resources: readonly WrittenResource[];
  /** First byte of the request and last byte of the answer. */
  readonly first: PacketPosition;
  readonly last: PacketPosition | null;
  /** First packet of the Envelope in which it was forwarded, if one was seen. */
  forwardedIn: PacketPosition | null;
}

/** What a request writes, with its results, as far as both were decoded. */
export function writtenResources(request: Decoded, response: Decoded | null): WrittenResource[] {
  const body = bodyValue(request, null);
  const answer = response === null ? null : bodyValue(response, null);
  return request.plan.apiKey === CREATE_TOPICS ? createdTopics(body, answer) : alteredResources(body, answer);
}

/** Whether a request only asks what would come of it. */
export function isValidateOnly(request: Decoded): boolean {
  return bodyValue(request, null)?.['validateOnly'] === true;
}

const TOPIC = 2;

function createdTopics(body: StructValue | null, answer: StructValue | null): WrittenResource[] {
  const results = structsIn(answer, 'topics');
  return structsIn(body, 'topics').map((topic) => {
    const name = textIn(topic, 'name') ?? '';
    const result = takeFirst(results, (candidate) => textIn(candidate, 'name') === name);
    const changes = structsIn(topic, 'configs').map((config) => changeOf(config, 'SET'));
    return { type: TOPIC, name, changes, errorCode: numberIn(result, 'errorCode') };
  });
}

function alteredResources(body: StructValue | null, answer: StructValue | null): WrittenResource[] {
  const results = structsIn(answer, 'responses');
  return structsIn(body, 'resources').map((resource) => {
    const type = numberIn(resource, 'resourceType') ?? 0;
    const name = textIn(resource, 'resourceName') ?? '';
    const result = takeFirst(
      results,
      (candidate) => numberIn(candidate, 'resourceType') === type && textIn(candidate, 'resourceName') === name,
    );
    const changes = structsIn(resource, 'configs').map((config) => changeOf(config, operationOf(config)));
    return { type, name, changes, errorCode: numberIn(result, 'errorCode') };
  });
}

function changeOf(config: StructValue, op: ConfigChange['op']): ConfigChange {
  return { key: textIn(config, 'name') ?? '', op, value: textIn(config, 'value') };
}

/** AlterConfigs has none: it replaces all configs of the resource by those that it names. */
function operationOf(config: StructValue): ConfigChange['op'] {
  const code = numberIn(config, 'configOperation');
  return code === null ? 'REPLACE_ALL' : (codeName(configOperations, code) as ConfigChange['op']);
}

/** Results may come in another order than the resources, and one resource may stand there twice. */
function takeFirst(results: StructValue[], matches: (result: StructValue) => boolean): StructValue | null {
  const at = results.findIndex(matches);
  return at < 0 ? null : (results.splice(at, 1)[0] as StructValue);
}
