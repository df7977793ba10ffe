import { compileMessage } from './compile.ts';
import type { MessageDefinition } from './definition.ts';
import { describeConfigsRequest, describeConfigsResponse } from './describe-configs.ts';
import { requestHeader, requestHeaderVersion, responseHeader, responseHeaderVersion } from './headers.ts';
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

  /** Adds requests and responses; one of an API that is already known stays as it is. */
  add(definitions: Iterable<MessageDefinition>): void {
    for (const definition of definitions) {
      const key = `${definition.type} ${definition.apiKey}`;
      if (!this.definitions.has(key)) this.definitions.set(key, definition);
    }
  }

  /** The definition of an API's request or response; null if there is none. */
  definition(apiKey: number, side: MessageSide): MessageDefinition | null {
    return this.definitions.get(`${side} ${apiKey}`) ?? null;
  }

  /** The plan of a message; null for an API or version without schema. The same object each time. */
  plan(apiKey: number, version: number, side: MessageSide): MessagePlan | null {
    const key = `${side} ${apiKey} ${version}`;
    const cached = this.plans.get(key);
    if (cached !== undefined) return cached;
    const definition = this.definition(apiKey, side);
    if (definition === null || !hasVersion(definition.validVersions, version)) return null;
    const headerVersion = side === 'request' ? requestHeaderVersion(apiKey, version) : responseHeaderVersion(apiKey, version);
    if (headerVersion === null) return null;
    const plan = compileMessage(definition, version, side === 'request' ? requestHeader : responseHeader, headerVersion);
    this.plans.set(key, plan);
    return plan;
  }
}
