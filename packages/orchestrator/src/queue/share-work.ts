import { formatTaskKey, parseTaskKey, type TaskKey } from '@agent/platforms';
import { createDoorbell, type Doorbell } from '@agent/platforms/sources';
import { ContextStoreError, type RunStorage, type StorageSignals } from '@agent/run-store';
import { z } from 'zod';
import type { RunLogger } from '../host/ports.ts';

/** Part of a process in the work: `look` finds tasks, `work` carries them out. */
export type WorkRole = 'both' | 'look' | 'work';

/** Ties between the processes of a place. */
export interface WorkTies {
  /** Rings here and in every other process. */
  readonly doorbell: Doorbell;
  /** Has whoever looks for tasks look now. */
  readonly wake: () => void;
  /** Tells whether this process is the one that looks for tasks now. */
  readonly isLooking: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

export interface ShareWorkOptions {
  readonly role: WorkRole;
  /** True for a process that ends when nothing is left to do. */
  readonly once: boolean;
  /** Hears whether this process is the one that looks for tasks, where several may. */
  readonly onLead: (leads: boolean) => void;
  /** Looks for tasks now, and for what people asked of single runs. */
  readonly onWake: () => void;
  readonly logger: Pick<RunLogger, 'warn' | 'info'>;
}

/**
 * Ties this process to the others of its place: one of those that look leads, and all hear of webhooks and of what people ask.
 * Where a process has the place for itself, it looks, and nothing is shared. One that ends when nothing is left to do looks
 * itself, whoever leads: a leader may have died, and to look twice costs requests and nothing else.
 * @throws {ContextStoreError} `invalid` for a role that nobody shares the work of
 */
export async function shareWork(
  { sharing, signals }: Pick<RunStorage, 'sharing' | 'signals'>,
  options: ShareWorkOptions,
): Promise<WorkTies> {
  const { role, onLead, onWake, logger } = options;
  if (role !== 'both' && (sharing === null || options.once)) throw isNoRole(role);
  if (sharing === null) {
    const isLooking = async () => true;
    return { doorbell: createDoorbell(), wake: onWake, isLooking, close: async () => {} };
  }
  const bell = await openSharedBell({ signals, onWake, logger });
  if (role === 'work') return { ...bell, isLooking: async () => false };
  if (options.once) return { ...bell, isLooking: async () => true };
  // True once this process did not look for tasks because another one leads: it has some to find as soon as it leads itself.
  let isAwaited = false;
  const onLeading = (): void => {
    logger.info({}, 'started polling: this process is the leader');
    onLead(true);
    if (isAwaited) onWake();
  };
  const onFollowing = (): void => {
    logger.info({}, 'stopped polling: another process is the leader');
    onLead(false);
    isAwaited = true;
  };
  const { isLeading, resign } = sharing.lead('look', { onLeading, onFollowing });
  const isLooking = async (): Promise<boolean> => {
    const leads = await isLeading();
    isAwaited = !leads;
    return leads;
  };
  const close = () => Promise.all([resign(), bell.close()]).then(() => {});
  return { ...bell, isLooking, close };
}

/** @throws {ContextStoreError} `invalid` where processes share the work: their queue would give this one the tasks of other threads, too */
export function requireOneOwner({ sharing }: Pick<RunStorage, 'sharing'>): void {
  if (sharing === null) return;
  const message =
    'A single thread can be run with storage in files only. With storage.postgres, give the task to the processes that share the database.';
  throw new ContextStoreError(message, { code: 'invalid' });
}

function isNoRole(role: WorkRole): ContextStoreError {
  const message = `The role "${role}" is for processes that share a database and run until they are stopped. Set storage.postgres and omit --once, or omit the role.`;
  return new ContextStoreError(message, { code: 'invalid' });
}

type SharedBell = Omit<WorkTies, 'isLooking'>;

type SharedBellOptions = Omit<ShareWorkOptions, 'role' | 'once' | 'onLead'> & Pick<RunStorage, 'signals'>;

const ringSchema = z.object({
  key: z.string(),
  commentId: z.string().nullable(),
  updatedAt: z.string().nullable(),
  deleted: z.boolean(),
});

/**
 * Opens a bell that all processes of a place hear, whichever of them a webhook reaches. A comment itself does not travel: it is
 * polled for where somebody listens. After a gap each thread that is listened to is looked at once, whole.
 */
async function openSharedBell({ signals, onWake, logger }: SharedBellOptions): Promise<SharedBell> {
  const local = createDoorbell();
  const listened = new Map<symbol, TaskKey>();
  const tell = (channel: string, message: Parameters<StorageSignals['publish']>[1]): void => {
    signals.publish(channel, message).catch((err: unknown) => {
      logger.warn({ err, channel }, 'failed to notify other processes');
    });
  };
  const onGap = (): void => {
    for (const key of listened.values()) local.ring({ key, commentId: null, updatedAt: null, deleted: true });
    onWake();
  };
  const hearRing = (message: unknown): void => {
    const { key, ...rest } = ringSchema.parse(message);
    local.ring({ ...rest, key: parseTaskKey(key) });
  };
  const ends = await Promise.all([
    signals.subscribe('bell', { onMessage: hearRing, onGap }),
    signals.subscribe('wake', { onMessage: onWake, onGap: () => {} }),
    signals.subscribe('controls', { onMessage: onWake, onGap: () => {} }),
  ]);
  return {
    doorbell: {
      ...local,
      onRing: (key, listener) => {
        const stop = local.onRing(key, listener);
        const id = Symbol('listener');
        if (key !== null) listened.set(id, key);
        return () => {
          listened.delete(id);
          stop();
        };
      },
      // A ring that comes back to this process does no harm, and where the others cannot be told this one knows.
      ring: (ring) => {
        local.ring(ring);
        const { key, commentId, updatedAt, deleted } = ring;
        tell('bell', { key: formatTaskKey(key), commentId, updatedAt, deleted });
      },
    },
    wake: () => {
      onWake();
      tell('wake', null);
    },
    close: async () => {
      await Promise.all(ends.map((end) => end()));
    },
  };
}

type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** A sleep that can be cut short. */
export interface Waker {
  /** Ends the sleep under way, or the next one. */
  readonly wake: () => void;
  /** Sleeps this long, until the signal is aborted, or until it is woken. */
  readonly sleep: Sleep;
}

/** Longest sleep that nobody cuts short, so that a storm of calls leads to one round a second. */
const restMs = 1_000;

/** Waits by the sleep that it is given. */
export function createWaker(sleep: Sleep): Waker {
  let isWoken = false;
  let stir = (): void => {};
  return {
    wake: () => {
      isWoken = true;
      stir();
    },
    sleep: async (milliseconds, signal) => {
      await sleep(Math.min(milliseconds, restMs), signal);
      const woken = new AbortController();
      stir = () => woken.abort();
      if (!isWoken && !signal.aborted && milliseconds > restMs)
        await sleep(milliseconds - restMs, AbortSignal.any([signal, woken.signal]));
      isWoken = false;
    },
  };
}
