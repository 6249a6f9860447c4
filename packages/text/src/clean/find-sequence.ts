import { findUnit } from './find-next.ts';
import type { Stretch } from './page.ts';

/** Finds where the first occurrence of a few signs in a stretch ends; null when there is none. */
export function findSequence(sequence: string, { units, start, end }: Stretch): number | null {
  const last = sequence.length - 1;
  let index = findUnit(sequence.charCodeAt(last), { units, start: start + last, end });
  while (index !== null && !endsAt(sequence, { units, index }))
    index = findUnit(sequence.charCodeAt(last), { units, start: index + 1, end });
  return index === null ? null : index + 1;
}

function endsAt(
  sequence: string,
  { units, index }: { readonly units: Uint16Array; readonly index: number },
): boolean {
  const start = index - sequence.length + 1;
  for (let offset = 0; offset < sequence.length; offset += 1)
    if (units[start + offset] !== sequence.charCodeAt(offset)) return false;
  return true;
}
