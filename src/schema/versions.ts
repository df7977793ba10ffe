/** An inclusive range of versions; an empty one has `first` above `last`. */
export interface VersionRange {
  readonly first: number;
  readonly last: number;
}

const NONE: VersionRange = { first: 0, last: -1 };

/**
 * Reads a version range of Kafka's message JSON: `0+`, `1-4`, `3` or `none`. Throws on anything else: such a text is a mistake in our
 * data, never input.
 */
export function parseVersions(text: string): VersionRange {
  if (text === 'none') return NONE;
  const match = /^(\d+)(?:-(\d+)|(\+))?$/.exec(text);
  if (match === null) throw new Error(`not a version range: ${text}`);
  const first = Number(match[1]);
  if (match[3] !== undefined) return { first, last: Number.POSITIVE_INFINITY };
  return { first, last: match[2] === undefined ? first : Number(match[2]) };
}

/** Whether `version` lies in the range that `text` says; false where there is no text. */
export function hasVersion(text: string | undefined, version: number): boolean {
  if (text === undefined) return false;
  const range = parseVersions(text);
  return range.first <= version && version <= range.last;
}
