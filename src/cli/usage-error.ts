/** The command line asks for something that can't be: exit code 2. The message says what is wrong and what to do instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
