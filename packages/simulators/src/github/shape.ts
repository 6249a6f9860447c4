/**
 * How a simulated answer differs in shape from a recorded one: keys that it lacks, and values of another JSON type.
 * Where either is null there is nothing to compare, except that a recorded value must not be answered with null;
 * of arrays the first entries are compared.
 */
export function shapeDifferences(recorded: unknown, simulated: unknown, path = '$'): readonly string[] {
  const [expected, found] = [typeOf(recorded), typeOf(simulated)];
  if (expected === 'null') return [];
  if (expected !== found) return [`${path}: ${expected} recorded, ${found} simulated`];
  if (Array.isArray(recorded) && Array.isArray(simulated)) return entryDifferences(recorded, simulated, path);
  if (expected !== 'object') return [];
  const answer = simulated as Record<string, unknown>;
  return Object.entries(recorded as Record<string, unknown>).flatMap(([key, value]) =>
    key in answer ? shapeDifferences(value, answer[key], `${path}.${key}`) : [`${path}.${key}: missing`],
  );
}

function entryDifferences(recorded: readonly unknown[], simulated: readonly unknown[], path: string) {
  if (recorded.length === 0) return [];
  if (simulated.length === 0) return [`${path}: entries recorded, none simulated`];
  return shapeDifferences(recorded[0], simulated[0], `${path}[0]`);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
