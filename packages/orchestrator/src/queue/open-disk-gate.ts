import type { RunStorage, StorageCondition } from '@agent/run-store';
import type { ObserveBoard } from '../board/board-event.ts';
import type { Holds } from '../state/holds.ts';

export interface DiskGateOptions {
  readonly health: RunStorage['health'];
  /** True for a process that does not wait for room. */
  readonly once: boolean;
  readonly observe: ObserveBoard;
  readonly holds: Holds;
  /** Called when the storage accepts runs again. */
  readonly onRoom: () => void;
}

/** Lets no task begin while the storage of the runs has no room, or cannot be read. */
export interface DiskGate {
  /** Updates the condition of the storage. */
  readonly check: () => Promise<void>;
  /** Milliseconds for which no task may begin; 0 if one may. */
  readonly holdMs: () => number;
  /** Aborted when the storage is full and `once` is set. */
  readonly givenUp: AbortSignal;
}

const checkedAgainMs = 5_000;

/** Opens it; the storage is first checked by `check`. */
export function openDiskGate({ health, once, observe, holds, onRoom }: DiskGateOptions): DiskGate {
  const hopeless = new AbortController();
  let held: StorageCondition['part'] | null = null;
  return {
    check: async () => {
      const condition = await health.check();
      observe({ type: 'condition', ...condition });
      const { part, state, reason } = condition;
      const wasHeld = held !== null;
      held = state === 'ok' ? null : part;
      for (const cause of ['disk', 'database'] as const)
        if (cause === held) holds.report({ cause, reason });
        else holds.clear(cause);
      if (wasHeld && held === null) onRoom();
      if (once && held === 'disk') hopeless.abort();
    },
    holdMs: () => (held === null ? 0 : checkedAgainMs),
    givenUp: hopeless.signal,
  };
}
