/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The schema of values of a TypeScript type. The type is only there for the compiler, which refuses a schema that says more or less than
 * its type does.
 */
export interface Schema<T> {
  readonly json: JsonSchema;
  readonly exactly?: (value: T) => T;
}

/** A member that may be absent. */
export interface OptionalSchema<T> extends Schema<T> {
  readonly optional: true;
}

/** The schemas of all members of an object: optional ones for those that may be absent. */
export type Members<T> = { readonly [K in keyof T]-?: object extends Pick<T, K> ? OptionalSchema<Exclude<T[K], undefined>> : Schema<T[K]> };

export const text = (description?: string): Schema<string> => described({ type: 'string' }, description);
export const integer = (description?: string): Schema<number> => described({ type: 'integer' }, description);
export const count = (description?: string): Schema<number> => described({ type: 'integer', minimum: 0 }, description);
export const number = (description?: string): Schema<number> => described({ type: 'number' }, description);
export const boolean = (description?: string): Schema<boolean> => described({ type: 'boolean' }, description);

/** A time as ISO 8601, in UTC. */
export const time = (description?: string): Schema<string> =>
  described({ type: 'string', pattern: '^[+-]?\\d{4,6}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.(\\d{6}|\\d{9})Z$' }, description);

export function constant<const V extends string | number | boolean>(value: V): Schema<V> {
  return { json: { const: value } };
}

export function oneOf<const V extends string>(values: readonly V[], description?: string): Schema<V> {
  return described({ type: 'string', enum: values }, description);
}

/** A text of a form, for types that TypeScript has a template for. */
export function pattern<T extends string>(regex: string, description?: string): Schema<T> {
  return described({ type: 'string', pattern: regex }, description);
}

/** A value or null. */
export function nullable<T>({ json }: Schema<T>): Schema<T | null> {
  const { type, enum: values, description } = json;
  if (Array.isArray(values)) return { json: { ...json, type: [type, 'null'], enum: [...values, null] } };
  if (typeof type === 'string') return { json: { ...json, type: [type, 'null'] } };
  return described({ anyOf: [json, { type: 'null' }] }, description as string | undefined);
}

export function optional<T>(schema: Schema<T>): OptionalSchema<T> {
  return { json: schema.json, optional: true };
}

export function array<T>(items: Schema<T>, description?: string): Schema<readonly T[]> {
  return described({ type: 'array', items: items.json }, description);
}

/** An object with these members and no others. */
export function object<T>(members: Members<T>, description?: string): Schema<T> {
  const entries = Object.entries(members) as [string, Schema<unknown> | OptionalSchema<unknown>][];
  return described(
    {
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, { json }]) => [name, json])),
      required: entries.filter(([, schema]) => !('optional' in schema)).map(([name]) => name),
      additionalProperties: false,
    },
    description,
  );
}

/** An object with members of any name. */
export function record<V>(values: Schema<V>, description?: string): Schema<Readonly<Record<string, V>>> {
  return described({ type: 'object', additionalProperties: values.json }, description);
}

/** An object with members of these names, any of which may be absent. */
export function partialRecord<K extends string, V>(
  names: readonly K[],
  values: Schema<V>,
  description?: string,
): Schema<Readonly<Partial<Record<K, V>>>> {
  return described({ type: 'object', propertyNames: { enum: names }, additionalProperties: values.json }, description);
}

/** A schema written out, for what the other functions don't cover: the compiler believes it. */
export function given<T>(json: JsonSchema): Schema<T> {
  return { json };
}

function described<T>(json: JsonSchema, description: string | undefined): Schema<T> {
  return { json: description === undefined ? json : { ...json, description } };
}
