import type { Resource } from '../../decode/resources.ts';
import { FilterError } from '../../errors.ts';
import { resourceTypes } from '../../schema/enums.ts';
import { parseTexts, type TextTest } from './pattern.ts';

/** Whether a resource is one that was asked for. */
export type ResourceTest = (resource: Resource) => boolean;

const BROKER = 4;

/**
 * Reads what `--resource` asks for: `topic:orders`, `broker:1`, `group:/^app-/`, `64:name` (a type by its code), `orders*` (of any type), or
 * several separated by commas. `broker:` is the defaults of all brokers, a broker without a name (KIP-226).
 */
export function parseResources(option: string, asked: string): ResourceTest {
  const parts = /^[^/,]*:?\/.*\/[a-z]*$/s.test(asked) ? [asked] : asked.split(',');
  const tests = parts.map((part) => resourceTest(option, part.trim()));
  return (resource) => tests.some((test) => test(resource));
}

function resourceTest(option: string, asked: string): ResourceTest {
  const colon = asked.startsWith('/') ? -1 : asked.indexOf(':');
  if (colon < 0) {
    if (asked === '') throw new FilterError(`${option} takes a resource, as in topic:orders, broker:1 or orders*`);
    const isName = parseTexts(option, asked);
    return ({ name }) => isName(name);
  }
  const type = typeOf(option, asked.slice(0, colon));
  const isName = nameTest(option, type, asked.slice(colon + 1));
  return (resource) => resource.type === type && isName(resource.name);
}

function nameTest(option: string, type: number, name: string): TextTest {
  if (name === '' && type !== BROKER) {
    const typeName = typeText(resourceTypes.get(type) ?? String(type));
    throw new FilterError(`${option} ${typeName}: lacks a name; ${typeName}:* is all of them`);
  }
  return parseTexts(option, name);
}

function typeOf(option: string, text: string): number {
  const wanted = text.toUpperCase().replaceAll('-', '_');
  for (const [code, name] of resourceTypes) if (name === wanted || String(code) === wanted) return code;
  if (/^-?\d+$/.test(text) && Number(text) >= -128 && Number(text) <= 127) return Number(text);
  const known = [...resourceTypes.values()].filter((name) => name !== 'UNKNOWN').map(typeText);
  throw new FilterError(
    `${option}: there is no resource type ${text}; known are ${known.join(', ')}, and any type by its code, as in 2:orders`,
  );
}

function typeText(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}
