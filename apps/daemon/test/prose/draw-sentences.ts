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
  const random = createRandom(seed);
  return [...lines.values()]
    .map((line) => ({ line, order: random() }))
    .sort((one, other) => one.order - other.order)
    .slice(0, count)
    .map(({ line }) => line);
}

/** The same sentence with other numbers, times and names is one wording. */
const toWording = (line: string): string => line.replaceAll(/\d+|`[^`]*`|https?:\S+/gu, '#').toLowerCase();

/** mulberry32: a small generator whose numbers follow from its seed. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
