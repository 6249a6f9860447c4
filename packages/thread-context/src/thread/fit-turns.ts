import { cutTurn } from './cut-turn.ts';
import { measureTurn } from './measure-turn.ts';
import type { ThreadLimits } from './thread-limits.ts';
import type { ThreadTurn } from './thread-turn.ts';

export interface FittedTurns {
  /** Oldest first. */
  readonly turns: readonly ThreadTurn[];
  /** Whether older turns, if there are any, could change this. */
  readonly wantsOlder: boolean;
}

/**
 * The newest turns that fit, without a gap. The newest of all survives: it is cut where it does not fit by itself.
 * One pass from the newest on, which ends where the budget does.
 *
 * @see seed 003 §5.2 (`trimToBudget`), decisions D1, D4, D5
 */
export function fitTurns(
  newestFirst: Iterable<ThreadTurn>,
  { maxTurns, maxChars }: ThreadLimits,
): FittedTurns {
  const kept: ThreadTurn[] = [];
  let chars = 0;
  let isFull = false;
  for (const turn of newestFirst) {
    chars += sizeOf(turn, kept.length === 0);
    if (chars <= maxChars) kept.push(turn);
    else if (kept.length === 0) kept.push(cutTurn(turn, maxChars));
    isFull = chars > maxChars || kept.length === maxTurns;
    if (isFull) break;
  }
  return { turns: kept.reverse(), wantsOlder: !isFull };
}

/** What a turn adds to a transcript, with the line break between it and the next. */
export function sizeOf(turn: ThreadTurn, isNewest: boolean): number {
  return measureTurn(turn) + (isNewest ? 0 : 1);
}
