import { cutTurn } from './cut-turn.ts';
import type { ThreadLimits } from './thread-limits.ts';
import { type ThreadTurn, toChatTurn } from './thread-turn.ts';
import { formatTurn } from './transcript-formatter.ts';

export interface FittedTurns {
  /** Oldest first. */
  readonly turns: readonly ThreadTurn[];
  /** Whether nothing was left out or cut. */
  readonly isAll: boolean;
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
  let isAll = true;
  for (const turn of newestFirst) {
    const size = sizeOf(turn, kept.length === 0);
    isAll = kept.length < maxTurns && chars + size <= maxChars;
    if (!isAll && kept.length === 0) kept.push(cutTurn(turn, maxChars));
    if (!isAll) break;
    kept.push(turn);
    chars += size;
  }
  return { turns: kept.reverse(), isAll };
}

/** What a turn adds to a transcript, with the line break between it and the next. */
export function sizeOf(turn: ThreadTurn, isNewest: boolean): number {
  return formatTurn(toChatTurn(turn)).length + (isNewest ? 0 : 1);
}
