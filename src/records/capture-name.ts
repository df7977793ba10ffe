/** The name of a capture, by its index among those that are read. */
export function captureName(captures: readonly string[], index: number): string {
  return captures[index] ?? `capture ${index}`;
}
