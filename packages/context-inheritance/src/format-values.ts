const info = 'inherited-data';

/**
 * Puts inherited text into a block of code, which marks it as data. Nothing in the text can end the block: its fence
 * is longer than any run of backticks inside, and there is no other line break than `\n`. @see decision C22
 */
export function fenceText(text: string): string {
  const inside = text.replace(/\r\n?/g, '\n');
  const fence = '`'.repeat(Math.max(3, longestRun(inside) + 1));
  return `${fence}${info}\n${inside}\n${fence}`;
}

/** The same for a value within a line: a span of code, on one line, that the value cannot close. */
export function fenceValue(text: string): string {
  const inside = text.replace(/\s+/g, ' ').trim();
  if (inside === '') return '` `';
  const run = longestRun(inside);
  if (run === 0) return `\`${inside}\``;
  const fence = '`'.repeat(run + 1);
  return `${fence} ${inside} ${fence}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** The first eight characters of a run's name, as people see it. */
export function shortenUuid(uuid: string): string {
  return uuid.slice(0, 8);
}

/** Gives the share of a whole that is done, 0 to 100, rounded; 0 for an empty whole. @see decision C17 */
export function toPercent(done: number, total: number): number {
  return total === 0 ? 0 : Math.round((100 * Math.min(done, total)) / total);
}
