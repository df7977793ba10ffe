import { textAt } from '../decode/content.ts';
import type { Decoded } from '../decode/decoded.ts';
import { type Resource, resourcesOf } from '../decode/resources.ts';
import { auxAt, bodyEntry, childEntries, memberEntry, NO_ENTRY, nextAt } from '../decode/walk.ts';
import type { DecodedExchange, SaslFacts } from '../kafka/decoded-exchange.ts';
import { apiNames } from '../schema/api-keys.ts';
import { codeName, resourceTypes } from '../schema/enums.ts';
import { errorNames } from '../schema/error-codes.ts';
import { counted, missingReason, reasonText } from './words.ts';

const DESCRIBE_CONFIGS = 32;
const ALTER_APIS: ReadonlySet<number> = new Set([33, 44]);
const NONE = 0;

/** What came of a request, in a few words. Texts may hold bytes from the wire: whoever prints them escapes them. */
export interface Answer {
  readonly text: string;
  /** An error, or less than an answer. */
  readonly isBad: boolean;
}

/** What a request asks for: `topic orders`, `12 topics, all keys`, `broker 1: log.retention.ms`. May hold bytes from the wire. */
export function askedText({ exchange, request, forwarded, sasl }: DecodedExchange): string {
  const { apiKey } = exchange;
  if (forwarded !== null) return `Envelope: ${messageText(forwarded.apiKey, forwarded.request)}`;
  if (sasl !== null) return `SaslAuthenticate${saslText(sasl)}`;
  if (apiKey !== DESCRIBE_CONFIGS) return messageText(apiKey, request);
  const resources = request === null ? [] : resourcesOf(request);
  const what = resources.length === 0 ? '' : resourcesText(resources);
  if (request === null) return 'not decoded';
  if (resources.length === 0) return request.error === null ? 'no resources' : 'not decoded';
  return what + keysText(request, resources.length);
}

/** `IncrementalAlterConfigs topic orders` */
function messageText(apiKey: number, request: Decoded | null): string {
  const resources = request === null ? [] : resourcesOf(request);
  return [codeName(apiNames, apiKey), resourcesText(resources)].filter((part) => part !== '').join(' ');
}

function saslText({ mechanism, user }: SaslFacts): string {
  return `${mechanism === null ? '' : ` ${mechanism}`}${user === null ? '' : ` user ${user}`}`;
}

/** What was answered: `26 configs`, `1 of 3 refused: TOPIC_AUTHORIZATION_FAILED`, `no answer: connection reset`. */
export function answerOf({ exchange, reason, response, leftOut }: DecodedExchange): Answer {
  if (exchange.response === null) return { text: `no answer${missingReason(reason)}`, isBad: true };
  const why = reason === null ? '' : `: ${reasonText(reason)}`;
  if (response === null) return { text: `not decoded${why}`, isBad: true };
  const { text, isBad } = contentsOf(response, leftOut?.response?.size ?? 0);
  return reason === null ? { text, isBad } : { text: `${text}, partial${why}`, isBad: true };
}

function contentsOf(response: Decoded, leftOut: number): Answer {
  const body = bodyEntry(response);
  const results = resultsEntry(response, body);
  if (results === NO_ENTRY) return statusOf(response, body);
  const errors = new Set<string>();
  let refused = 0;
  let total = 0;
  let configs = 0;
  let missing = leftOut;
  for (const result of childEntries(response, results)) {
    const error = memberEntry(response, result, 'errorCode');
    const list = memberEntry(response, result, 'configs');
    total += 1;
    if (list !== NO_ENTRY) {
      configs += Math.max(0, auxAt(response, list));
      missing += missingConfigs(response, list);
    }
    if (error === NO_ENTRY || auxAt(response, error) === NONE) continue;
    refused += 1;
    errors.add(codeName(errorNames, auxAt(response, error)));
  }
  const share = missing === 0 ? '' : `${configs - missing} of `;
  if (refused === 0 && response.plan.apiKey !== DESCRIBE_CONFIGS) return { text: 'done', isBad: false };
  if (refused === 0) return { text: total === 0 ? 'no resources' : share + counted(configs, 'config'), isBad: false };
  const refusals = total === 1 ? 'refused' : `${refused} of ${total} refused`;
  return { text: `${refusals}: ${[...errors].join(', ')}`, isBad: true };
}

/** How many configs of a list weren't decoded whole: decoding stopped inside the list, which then is the last of the tape. */
function missingConfigs(response: Decoded, list: number): number {
  const stopped = response.error && /\.configs\[(\d+)\]/.exec(response.error.path);
  return stopped && nextAt(response, list) === response.tapeLength ? auxAt(response, list) - Number(stopped[1]) : 0;
}

/** The list of results; AlterConfigs and IncrementalAlterConfigs call it responses. */
function resultsEntry(response: Decoded, body: number): number {
  return memberEntry(response, body, ALTER_APIS.has(response.plan.apiKey) ? 'responses' : 'results');
}

/** What a response without results says: its error, or how large it is. */
function statusOf(response: Decoded, body: number): Answer {
  const error = memberEntry(response, body, 'errorCode');
  if (error === NO_ENTRY || auxAt(response, error) === NONE) return { text: counted(response.length, 'byte'), isBad: false };
  return { text: codeName(errorNames, auxAt(response, error)), isBad: true };
}

function resourcesText(resources: readonly Resource[]): string {
  const [first] = resources;
  if (resources.length === 1 && first !== undefined) return resourceText(first);
  const counts = new Map<number, number>();
  for (const { type } of resources) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, count]) => `${count} ${plural(typeText(type), count)}`).join(', ');
}

function resourceText({ type, name }: Resource): string {
  // A broker without a name stands for what all brokers share (KIP-226).
  return name === '' && resourceTypes.get(type) === 'BROKER' ? 'broker defaults' : `${typeText(type)} ${name}`;
}

function typeText(type: number): string {
  return (resourceTypes.get(type) ?? `type ${type} resource`).toLowerCase().replaceAll('_', ' ');
}

function plural(noun: string, count: number): string {
  return count === 1 || noun.endsWith('s') ? noun : `${noun}s`;
}

/** What follows the resources: all keys goes without saying for one resource. */
function keysText(request: Decoded, resources: number): string {
  const wanted = new Set<string>();
  for (const resource of childEntries(request, memberEntry(request, bodyEntry(request), 'resources'))) {
    wanted.add(keysOf(request, memberEntry(request, resource, 'configurationKeys')));
  }
  if (wanted.size > 1) return ', different keys';
  const [keys = ''] = wanted;
  return keys === ', all keys' && resources === 1 ? '' : keys;
}

function keysOf(request: Decoded, list: number): string {
  if (list === NO_ENTRY) return '';
  if (auxAt(request, list) < 0) return ', all keys';
  if (auxAt(request, list) === 0) return ', an empty list of keys';
  return `: ${Array.from(childEntries(request, list), (key) => textAt(request, key)).join(', ')}`;
}
