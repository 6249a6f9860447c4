import { createRandom } from '../fleet/random.ts';
import type { Conversation } from './conversation.ts';

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

const longest = { call: 120, answer: 12, listing: 15 } as const;
const shareAfterActs = 0.7;
const moments = ['call', 'answer', 'listing'] as const;

/** Draws the kills of a play, in the order of their turns; most come in a turn in which something was said, or the one behind it. */
export function drawKills(
  count: number,
  {
    seed,
    conversation,
  }: { readonly seed: number; readonly conversation: Pick<Conversation, 'turns' | 'acts'> },
): readonly Kill[] {
  const { turns, acts } = conversation;
  const random = createRandom(seed);
  // The first numbers of neighboring seeds are alike.
  for (let skipped = 0; skipped < 8; skipped += 1) random();
  return Array.from({ length: count }, () => {
    const moment = moments[Math.floor(random() * moments.length)] ?? 'call';
    const act = acts[Math.floor(random() * acts.length)];
    const isAfterAct = act !== undefined && random() < shareAfterActs;
    const turn = isAfterAct ? act.turn + Math.floor(random() * 2) : 1 + Math.floor(random() * turns);
    return {
      turn: Math.min(turn, turns),
      moment,
      delayMs: Math.round(random() * longest[moment]),
    };
  }).sort((a, b) => a.turn - b.turn);
}
