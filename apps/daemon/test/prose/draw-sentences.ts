import { createHash } from 'node:crypto';
import type { RenderedText } from './rendered-runs.ts';

/** Draws lines of text, each wording once, in an order that follows from the seed alone. */
export function drawSentences(
  texts: readonly RenderedText[],
  { seed, count }: { readonly seed: number; readonly count: number },
): readonly RenderedText[] {
  const lines = new Map<string, RenderedText>();
  for (const { name, text } of texts)
    for (const line of text.split('\n').map((one) => one.trim()))
      if (/\p{L}{2,}.*\s\p{L}/u.test(line) && !lines.has(toWording(line)))
        lines.set(toWording(line), { name, text: line });
  return [...lines.values()]
    .map((line) => ({ line, order: hash(`${seed}\n${toWording(line.text)}`) }))
    .sort((one, other) => one.order.localeCompare(other.order))
    .slice(0, count)
    .map(({ line }) => line);
}

/** The same sentence with other numbers, times and names is one wording. */
const toWording = (line: string): string => line.replaceAll(/\d+|`[^`]*`|https?:\S+/gu, '#').toLowerCase();

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
