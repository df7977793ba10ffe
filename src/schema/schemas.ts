import { compileMessage } from './compile.ts';
import type { MessageDefinition } from './definition.ts';
import { describeConfigsRequest, describeConfigsResponse } from './describe-configs.ts';
import { requestHeader, requestHeaderVersion, responseHeader, responseHeaderVersion, versionPrefix } from './headers.ts';
import type { MessagePlan } from './plan.ts';
import { hasVersion } from './versions.ts';

export type MessageSide = MessagePlan['side'];

/** The message definitions of a run and their plans, compiled when first asked for. Knows DescribeConfigs from the start. */
export class Schemas {
  private readonly definitions = new Map<string, MessageDefinition>();
  private readonly plans = new Map<string, MessagePlan>();

  constructor() {
    this.add([describeConfigsRequest, describeConfigsResponse]);
  }

  /** Adds messages; one that is already known stays as it is. */
  add(definitions: Iterable<MessageDefinition>): void {
    for (const definition of definitions) {
      const key = `${definition.type} ${definition.apiKey ?? definition.name}`;
      if (!this.definitions.has(key)) this.definitions.set(key, definition);
    }
  }

  /** The definition of an API's request or response; null if there is none. */
  definition(apiKey: number, side: MessageSide): MessageDefinition | null {
    return this.definitions.get(`${side} ${apiKey}`) ?? null;
  }

  /** The plan of a message in a frame of its own; null for an API or version without schema. The same object each time. */
  plan(apiKey: number, version: number, side: MessageSide): MessagePlan | null {
    return this.planOf(apiKey, version, side, false);
  }

  /** The same for a message that another one holds, which has no size prefix. */
  embeddedPlan(apiKey: number, version: number, side: MessageSide): MessagePlan | null {
    return this.planOf(apiKey, version, side, true);
  }

  /** The plan of data in a field of bytes: an int16 with its version, then the data. Null if that isn't known. */
  dataPlan(name: string, version: number): MessagePlan | null {
    const definition = this.definitions.get(`data ${name}`);
    if (definition === undefined || !hasVersion(definition.validVersions, version)) return null;
    return this.cached(`${name} ${version}`, () => compileMessage(definition, version, versionPrefix, 0, true));
  }

  private planOf(apiKey: number, version: number, side: MessageSide, embedded: boolean): MessagePlan | null {
    const key = `${side} ${apiKey} ${version}${embedded ? ' embedded' : ''}`;
    const cached = this.plans.get(key);
    if (cached !== undefined) return cached;
    const definition = this.definition(apiKey, side);
    if (definition === null || !hasVersion(definition.validVersions, version)) return null;
    const headerVersion = side === 'request' ? requestHeaderVersion(apiKey, version) : responseHeaderVersion(apiKey, version);
    if (headerVersion === null) return null;
    const header = side === 'request' ? requestHeader : responseHeader;
    return this.cached(key, () => compileMessage(definition, version, header, headerVersion, embedded));
  }

  private cached(key: string, compile: () => MessagePlan): MessagePlan {
    const plan = this.plans.get(key) ?? compile();
    this.plans.set(key, plan);
    return plan;
  }
}
