import type { TaskBoard } from './task-board.ts';

/** Milliseconds for which probes, metrics and pages share what was read. */
const sharedMs = 1_000;

/** Shares a reading among all who ask within a moment, until a condition of this process changes. A failed reading is not shared. */
export function shareForAMoment<Result>(
  { board, now }: { readonly board: TaskBoard; readonly now: () => number },
  read: () => Promise<Result>,
): () => Promise<Result> {
  let shared: { readonly at: number; readonly of: unknown; readonly reading: Promise<Result> } | null = null;
  return () => {
    const of = board.state.conditions;
    if (shared === null || shared.of !== of || Math.abs(now() - shared.at) >= sharedMs) {
      const current = { at: now(), of, reading: read() };
      current.reading.catch(() => {
        if (shared === current) shared = null;
      });
      shared = current;
    }
    return shared.reading;
  };
}
