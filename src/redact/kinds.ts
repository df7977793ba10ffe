/** Fields of messages whose texts say nothing of whose cluster it is. A config's key, the `name` beside a `value`, is another. */
export const keptFields: ReadonlySet<string> = new Set([
  ...['configurationKeys', 'documentation', 'mechanism', 'mechanisms', 'protocolType', 'protocolName'],
  ...['clientSoftwareName', 'clientSoftwareVersion'],
]);

/** The same of rows: names of codes and keys, times, places in captures. */
export const keptMembers: ReadonlySet<string> = new Set([
  ...['type', 'outcome', 'protocol', 'op', 'key', 'field', 'apiName', 'errorName', 'resourceTypeName', 'sourceName'],
  ...['capture', 'firstCapture', 'lastCapture', 'time', 'firstTime', 'lastTime', 'firstSeen', 'lastSeen', 'notBefore', 'notAfter'],
]);

/** Of what kind the texts of other fields and members are; those that aren't listed are `text`. */
export const memberKinds: ReadonlyMap<string, string> = new Map([
  ['clientId', 'client'],
  ['value', 'value'],
  ['topic', 'topic'],
  ['topicName', 'topic'],
  ['topics', 'topic'],
  ['topicNames', 'topic'],
  ['group', 'group'],
  ['groupId', 'group'],
  ['groups', 'group'],
  ['groupIds', 'group'],
  ['coordinatorKeys', 'group'],
  ['key', 'group'],
  ['clusterId', 'cluster'],
  ['clusters', 'cluster'],
  ['user', 'user'],
]);

/** Resources that have numbers for names, those of brokers. */
const BROKER_TYPES: ReadonlySet<number> = new Set([4, 8]);
const TOPIC = 2;
const GROUP = 32;
const NUMBER = /^\d+$/;

/** Of what kind the name of a resource of this type is; null where it stays, as the ids of brokers do. */
export function resourceKind(resourceType: number | null, name: string): string | null {
  if (resourceType !== null && BROKER_TYPES.has(resourceType) && NUMBER.test(name)) return null;
  return resourceType === TOPIC ? 'topic' : resourceType === GROUP ? 'group' : 'resource';
}
