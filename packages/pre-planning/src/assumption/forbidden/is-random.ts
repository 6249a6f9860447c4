/**
 * Whether a run of letters and digits is drawn by chance rather than named: it has digits and both cases, and they take
 * turns so often that no words fit between. `CreateUserAccountRequestHandlerV2` is a name.
 */
export function isRandom(run: string): boolean {
  if (!(/\d/.test(run) && /[A-Z]/.test(run) && /[a-z]/.test(run))) return false;
  const parts = run.split(/[/_+-]/).filter((part) => part.length > 2);
  const pieces = parts.flatMap((part) => part.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []);
  const letters = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return letters / pieces.length < leastNameLength;
}

/** Of the pieces of a name, on average; those of random text have fewer than 2. */
const leastNameLength = 2.6;
