import { fenceOf, toCodeBlock } from '@agent/text';

const info = 'inherited-data';

/**
 * Puts inherited text into a block of code, which marks it as data. Nothing in the text can end the block: its fence
 * is longer than any run of backticks inside, and there is no other line break than `\n`. @see decision C22
 */
export function fenceText(text: string): string {
  return toCodeBlock(text.replace(/\r\n?/g, '\n'), info);
}

/** The same for a value within a line: a span of code, on one line, that the value cannot close. */
export function fenceValue(text: string): string {
  const inside = text.replace(/\s+/g, ' ').trim();
  if (inside === '') return '` `';
  const fence = fenceOf(inside, 1);
  return fence.length === 1 ? `\`${inside}\`` : `${fence} ${inside} ${fence}`;
}

/** The first eight characters of a run's name, as people see it. */
export function shortenUuid(uuid: string): string {
  return uuid.slice(0, 8);
}

/** Gives the share of a whole that is done, 0 to 100, rounded; 0 for an empty whole. @see decision C17 */
export function toPercent(done: number, total: number): number {
  return total === 0 ? 0 : Math.round((100 * Math.min(done, total)) / total);
}
