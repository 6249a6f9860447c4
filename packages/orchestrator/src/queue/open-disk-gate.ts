import type { RunStorage, StorageCondition } from '@agent/run-store';
import type { ObserveBoard } from '../board/board-event.ts';
import type { Holds } from '../state/holds.ts';
import type { Hold } from './memory-task-queue.ts';

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
  readonly holdBack: () => Hold | null;
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
        if (cause === held) holds.report({ cause, reason, hasCondition: true });
        else holds.clear(cause);
      if (wasHeld && held === null) onRoom();
      if (once && held === 'disk') hopeless.abort();
    },
    holdBack: () =>
      held === null
        ? null
        : { reason: held === 'disk' ? 'the full disk' : 'the database', waitMs: checkedAgainMs },
    givenUp: hopeless.signal,
  };
}
