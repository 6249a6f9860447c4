import { stat } from 'node:fs/promises';
import { checkDisk, findExistingDirectory, type RunStorage, type StorageCondition } from '@agent/run-store';
import type { ObserveBoard } from '../board/board-event.ts';
import type { RunLogger } from '../host/ports.ts';

export interface DiskGateOptions {
  readonly storage: Pick<RunStorage, 'health' | 'location'>;
  /** Directory of worktrees; null for a process that runs no tasks. */
  readonly worktrees: string | null;
  /** Bytes that have to be free on the disk of the worktrees. Default 64 MiB. */
  readonly minFreeBytes?: number | undefined;
  /** True for a process that does not wait for room. */
  readonly once: boolean;
  readonly observe: ObserveBoard;
  readonly logger: Pick<RunLogger, 'info' | 'warn'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Lets no task begin while the storage of the runs or the disk of the worktrees has no room, or cannot be used. */
export interface DiskGate {
  /** Updates the conditions of both. */
  readonly check: () => Promise<void>;
  /** Milliseconds for which no task may begin; 0 if one may. */
  readonly holdMs: () => number;
  /** Aborted when a disk is full and `once` is set. */
  readonly givenUp: AbortSignal;
}

const checkedAgainMs = 5_000;

const causes = { disk: 'disk', database: 'database', worktrees: 'disk_worktrees' } as const;
type Part = keyof typeof causes;

/** Opens it; nothing is checked before the first call of `check`. */
export function openDiskGate({ once, observe, logger, now, ...places }: DiskGateOptions): DiskGate {
  const hopeless = new AbortController();
  /** Start of each hold, in milliseconds since 1970. */
  const held = new Map<Part, number>();
  const take = (part: Part, { state, reason }: Pick<StorageCondition, 'state' | 'reason'>): void => {
    observe({ type: 'condition', part, state, reason });
    const [cause, since] = [causes[part], held.get(part)];
    if (state === 'ok') {
      held.delete(part);
      if (since !== undefined) logger.info({ cause, durationMs: now() - since }, 'starting tasks again');
      return;
    }
    if (once && part !== 'database') hopeless.abort();
    if (since !== undefined) return;
    held.set(part, now());
    logger.warn({ cause, reason }, 'not starting tasks');
  };
  return {
    check: async () => {
      const condition = await places.storage.health.check();
      take(condition.part, condition);
      const worktrees = await checkWorktrees(places, condition);
      if (worktrees !== null) take('worktrees', worktrees);
    },
    holdMs: () => (held.size === 0 ? 0 : checkedAgainMs),
    givenUp: hopeless.signal,
  };
}

/** Null if the worktrees have no disk of their own. */
async function checkWorktrees(
  { storage, worktrees, minFreeBytes }: Pick<DiskGateOptions, 'storage' | 'worktrees' | 'minFreeBytes'>,
  { part }: StorageCondition,
): Promise<StorageCondition | null> {
  if (worktrees === null) return null;
  const directory = await findExistingDirectory(worktrees);
  if (part === 'disk' && (await isSameDisk(directory, storage.location))) return null;
  return checkDisk(directory, { contents: 'worktrees', minFreeBytes });
}

/** False if that cannot be found out. */
async function isSameDisk(one: string, other: string): Promise<boolean> {
  try {
    return (await stat(one)).dev === (await stat(other)).dev;
  } catch {
    return false;
  }
}
