import { decodeFrame } from '../decode/decode-frame.ts';
import { smallestInstance } from '../encode/smallest-instance.ts';
import { apiNames } from '../schema/api-keys.ts';
import type { MessageDefinition } from '../schema/definition.ts';
import { codeName } from '../schema/enums.ts';
import type { MessagePlan } from '../schema/plan.ts';
import type { MessageSide, Schemas } from '../schema/schemas.ts';
import { hasVersion, parseVersions } from '../schema/versions.ts';
import { ByteBuffer } from './byte-buffer.ts';
import { byteLayout, legend } from './hex.ts';
import { MessageTree } from './message-tree.ts';
import { regionOrder } from './regions.ts';
import { schemaJson } from './schema-json.ts';
import { paint, type Region, type Theme } from './theme.ts';
import { counted } from './words.ts';

/** What to explain, and how it looks. */
export interface ExplainOptions {
  readonly apiKey: number;
  readonly version: number;
  /** Only this message of the two; null for both. */
  readonly side: MessageSide | null;
  /** Columns of the terminal, or null: meanings are cut to them. */
  readonly width: number | null;
  readonly theme: Theme;
}

/** A message as the page shows it: its definition, its plan, and the frame of its smallest legal instance. */
interface Sample {
  readonly definition: MessageDefinition;
  readonly plan: MessagePlan;
  readonly frame: Uint8Array;
}

const FACT_COLUMNS = 20;
/** Columns of running text where there is no terminal to say. */
const PROSE_COLUMNS = 100;
/** A page has no undecoded bytes. */
const pageRegions: ReadonlySet<Region> = new Set(regionOrder.filter((region) => region !== 'undecoded'));

/**
 * The page about an API in one version: facts, and for request and response the byte layout and object tree of the smallest legal instance
 * and the message's schema. Null where neither has a schema in this version.
 */
export function explainPage(schemas: Schemas, options: ExplainOptions): string | null {
  const { apiKey, version, side, theme } = options;
  const request = sampleOf(schemas, apiKey, version, 'request');
  const response = sampleOf(schemas, apiKey, version, 'response');
  if (request === null && response === null) return null;
  const lines = [
    paint(theme.heading, codeName(apiNames, apiKey)),
    ...wrapped(introduction(version, (request ?? response)?.plan.flexible ?? false), options.width ?? PROSE_COLUMNS),
    '',
    ...facts(apiKey, version, request, response),
    '',
    legend(pageRegions, false, theme),
    ...(request === null || side === 'response' ? [] : section('Request', request, options)),
    ...(response === null || side === 'request' ? [] : section('Response', response, options)),
  ];
  return `${lines.join('\n')}\n`;
}

/** The newest version of an API that has a schema; null if none has. */
export function newestVersion(schemas: Schemas, apiKey: number): number | null {
  const definition = schemas.definition(apiKey, 'request') ?? schemas.definition(apiKey, 'response');
  return definition && parseVersions(definition.validVersions).last;
}

function sampleOf(schemas: Schemas, apiKey: number, version: number, side: MessageSide): Sample | null {
  const definition = schemas.definition(apiKey, side);
  const plan = schemas.plan(apiKey, version, side);
  return definition && plan && { definition, plan, frame: smallestInstance(plan) };
}

function introduction(version: number, isFlexible: boolean): string {
  const lengths = isFlexible
    ? `Version ${version} is a flexible version, so every struct is terminated by a uvarint tagged-field count and strings and arrays carry compact length-plus-one prefixes.`
    : `Version ${version} is not a flexible version, so there are no tagged fields, strings carry an int16 length prefix, and byte arrays and arrays an int32 one.`;
  return `This page encodes the smallest legal instance of the request and the response: numeric fields are zero, strings and byte arrays are empty, every array carries exactly one sample element, and any records field holds one empty 61-byte RecordBatch v2. ${lengths} Sizes below include the leading int32 size prefix.`;
}

function facts(apiKey: number, version: number, request: Sample | null, response: Sample | null): string[] {
  const definition = (request ?? response)?.definition;
  const headers = [request && `req v${request.plan.headerVersion}`, response && `resp v${response.plan.headerVersion}`];
  const rows: [string, string][] = [
    ['API key', String(apiKey)],
    ['Encoded at', `v${version}`],
    ['Flexible versions', definition?.flexibleVersions ?? 'none'],
    ['Headers', headers.filter((text) => text !== null).join(', ')],
    ['Request versions', versionsText(request)],
    ['Response versions', versionsText(response)],
    ['Request size', sizeText(request)],
    ['Response size', sizeText(response)],
  ];
  return rows.map(([name, value]) => `- ${name.padEnd(FACT_COLUMNS)}- ${value}`);
}

/** The versions of the page, which is about Kafka 4, and which others captures of older releases may hold. */
function versionsText(sample: Sample | null): string {
  if (sample === null) return 'not in this version';
  const { validVersions, pageVersions = validVersions } = sample.definition;
  if (pageVersions === validVersions) return validVersions;
  const { first, last } = parseVersions(validVersions);
  const older: number[] = [];
  for (let version = first; version <= last; version++) if (!hasVersion(pageVersions, version)) older.push(version);
  return `${pageVersions} (Kafka 4), ${older.join(', ')} (older releases, decoded as well)`;
}

function sizeText(sample: Sample | null): string {
  return sample === null ? 'not in this version' : counted(sample.frame.length, 'byte');
}

function section(title: 'Request' | 'Response', { definition, plan, frame }: Sample, options: ExplainOptions): string[] {
  const { theme, width, version } = options;
  const { name, headerVersion } = plan;
  const decoded = decodeFrame(plan, frame, 0, frame.length);
  const tree = new ByteBuffer();
  new MessageTree(tree, { width, about: true, depth: null, sample: true, theme }).print(decoded, {
    endOffset: frame.length,
    leftOut: null,
    redacted: null,
    missing: null,
  });
  const heading = (text: string) => paint(theme.heading, text);
  return [
    '',
    heading(title),
    `${name} v${version}, ${title.toLowerCase()} header v${headerVersion}, ${counted(frame.length, 'byte')} on the wire`,
    '',
    ...byteLayout({ bytes: frame, origin: 0, length: frame.length, decoded, redacted: null }, theme),
    '',
    heading('object tree'),
    Buffer.from(tree.view()).toString().trimEnd(),
    '',
    heading('kafka message schema (.json)'),
    ...schemaJson(definition, version),
  ];
}

/** Plain text broken at its spaces into lines of at most `columns`, longer words aside. */
function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line];
}
