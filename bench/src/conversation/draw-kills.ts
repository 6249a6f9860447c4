import { createRandom } from '../fleet/random.ts';

/**
 * A moment at which a program is killed, the first of its kind from a turn on: `call` while the model thinks, `answer` after its answer has
 * left (before, while or after the program keeps it), `listing` after the thread was read (before or after the comment is kept).
 */
export interface Kill {
  readonly turn: number;
  readonly moment: 'call' | 'answer' | 'listing';
  /** Milliseconds after the request, the answer or the listing. */
  readonly delayMs: number;
}

const longest = { call: 30, answer: 12, listing: 15 } as const;
const moments = ['call', 'answer', 'listing'] as const;

/** Draws the kills of a play, in the order of their turns. */
export function drawKills(
  count: number,
  { seed, turns }: { readonly seed: number; readonly turns: number },
): readonly Kill[] {
  const random = createRandom(seed);
  // The first numbers of neighboring seeds are alike.
  for (let skipped = 0; skipped < 8; skipped += 1) random();
  return Array.from({ length: count }, () => {
    const moment = moments[Math.floor(random() * moments.length)] ?? 'call';
    return {
      turn: 1 + Math.floor(random() * turns),
      moment,
      delayMs: Math.round(random() * longest[moment]),
    };
  }).sort((a, b) => a.turn - b.turn);
}
