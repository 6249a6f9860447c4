import { fitWrapped } from '../prompts/fit-wrapped.ts';
import { madeBy, type WrapText } from '../prompts/prompt-options.ts';
import type { PrePlanningResult } from './pre-planning-result.ts';

/** Room for the line that says what is left out. */
const reserveChars = 60;

interface CollectedFit {
  readonly maxChars: number;
  readonly wrap: WrapText;
  /** What was wanted, by its id; empty where that is unknown. */
  readonly describe: (id: string) => string;
}

/** What was collected, each item enclosed: short ones whole, long ones cut, and how many there is no room for. */
export function fitCollected(
  collected: PrePlanningResult['collected_information'],
  { maxChars, wrap, describe }: CollectedFit,
): string {
  const items = Object.entries(collected).flatMap(([category, entries]) =>
    Object.entries(entries ?? {}).map(([id, text]) => ({
      // A model wrote it, so that it is enclosed with what it names.
      text: describe(id) === '' ? text : `wanted: ${describe(id)}\n${text}`,
      source: madeBy(`${category}, ${id}`),
    })),
  );
  const lengths = items.map(({ text, source }) => text.length + wrap('-', source).length);
  const each = shareOut(lengths, maxChars - reserveChars);
  const shown: string[] = [];
  let omitted = 0;
  for (const { text, source } of items) {
    const wrapped = fitWrapped(text, source, { maxChars: each - 1, wrap });
    if (wrapped === null) omitted += 1;
    else shown.push(wrapped);
  }
  if (omitted > 0) shown.push(`(${omitted} more are left out: there is no room for them)`);
  return shown.join('\n');
}

/** The length that each may have, so that short ones leave their room to long ones. */
function shareOut(lengths: readonly number[], total: number): number {
  let left = total;
  let count = lengths.length;
  for (const length of lengths.toSorted((one, other) => one - other)) {
    if (length * count > left) return Math.floor(left / count);
    left -= length;
    count -= 1;
  }
  return total;
}
