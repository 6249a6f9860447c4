import { setTimeout as wait } from 'node:timers/promises';
import type { RunReader, TaskQueue } from '@agent/run-store';
import { ErrorEpisodes } from '@agent/text';
import type { RunLogger } from '../host/ports.ts';
import { type QueueEntry, toThreadKey } from './queue-entry.ts';

/** Surroundings of runs that have begun and not ended, and that no process carries. */
export interface LeftRunsOptions {
  readonly queue: Pick<TaskQueue<QueueEntry>, 'waiting'>;
  readonly reader: Pick<RunReader<unknown>, 'listRunning'>;
  /** Tells whether this process carries a run. */
  readonly isCarried: (uuid: string) => boolean;
  /** Tells whether nothing is begun, and this process alone could: then what is unfinished waits outside of the queue. */
  readonly isHeld: () => Promise<boolean>;
  /** Tells whether this process is the one that looks. */
  readonly isLooking: () => Promise<boolean>;
  /** Says on the thread of one that it is at work no more. */
  readonly correct: (uuid: string) => Promise<void>;
  /** Resolves after this long, or as soon as the signal is aborted. Default real time, whatever clock the work has: other processes have none of it. */
  readonly sleep?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
  readonly signal: AbortSignal;
  readonly logger: Pick<RunLogger, 'info' | 'warn' | 'error'>;
}

/** Milliseconds between two looks. A run that is left at two of them in a row is not about to be begun. */
const lookMs = 15_000;

/**
 * Watches for runs whose process died, or was ended, and that nobody takes up at once, as there is no room for them: what their threads say
 * of them is corrected, once, and again where they were begun and left since. Resolves when the signal is aborted; never rejects.
 */
export async function watchLeftRuns(options: LeftRunsOptions): Promise<void> {
  const { isLooking, correct, sleep = sleepRealTime, signal, logger } = options;
  const episodes = new ErrorEpisodes();
  let before: readonly string[] = [];
  let corrected: ReadonlySet<string> = new Set();
  const look = async (): Promise<void> => {
    // Whoever looks no more for a moment forgets nothing.
    if (!(await isLooking())) return;
    const left = await listLeft(options);
    const due = left.filter((uuid) => before.includes(uuid) && !corrected.has(uuid));
    before = left;
    corrected = new Set(left.filter((uuid) => corrected.has(uuid)));
    for (const uuid of due) {
      try {
        await correct(uuid);
        corrected = new Set([...corrected, uuid]);
        episodes.end(uuid);
      } catch (err) {
        const message = 'failed to update comments of interrupted run';
        episodes.fail(uuid, err, { logger, message, fields: { run: uuid } });
      }
    }
  };
  for (;;) {
    await sleep(lookMs, signal);
    if (signal.aborted) return;
    await look().then(
      () => episodes.end(''),
      (err: unknown) => episodes.fail('', err, { logger, message: 'failed to list interrupted runs' }),
    );
  }
}

async function sleepRealTime(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal, ref: false }).catch(() => {});
}

/** Lists them by their uuids. What waits in the queue may be any of them, under the key of its thread. */
async function listLeft({ queue, reader, isCarried, isHeld }: LeftRunsOptions): Promise<readonly string[]> {
  const waiting = new Set((await queue.waiting()).map(({ key }) => key));
  const isAll = await isHeld();
  if (waiting.size === 0 && !isAll) return [];
  const running = await reader.listRunning();
  return running.flatMap(({ uuid, outcome, metadata: { host, taskKeyText } }) => {
    const isLeft = outcome === null && !isCarried(uuid);
    return isLeft && (isAll || waiting.has(toThreadKey(host, taskKeyText))) ? [uuid] : [];
  });
}
