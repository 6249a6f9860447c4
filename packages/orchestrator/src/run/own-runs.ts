import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type {
  DamagedRun,
  InterruptedRun,
  PausedRun,
  RunLines,
  RunStorage,
  TaskIndex,
} from '@agent/run-store';
import { openRecords } from '../host/open-records.ts';
import { openFileStorage, toRecordDirectories } from '../host/open-storage.ts';
import { type RunLogger, silentLogger } from '../host/ports.ts';
import {
  type CarriedRun,
  type Carrier,
  carry,
  type OwnRun,
  type OwnTask,
  type RunStanding,
  showPause,
  toStanding,
} from './own-run.ts';
import { commitPause, forgetPause, isHeldPaused, putAway } from './run-record.ts';

/** Settings of runs that an agent of one's own carries. */
export type OwnRunsOptions = OwnRunsSettings & (RunsInDirectory | RunsInStorage);

interface RunsInDirectory {
  /** Holds the runs; one process at a time owns it. While a file `pause_signal` is in it, runs pause and none begins. */
  readonly directory: string;
}

interface RunsInStorage {
  /** Keeps the runs, and stays open when they are closed. While its pause signal is set, runs pause and none begins. */
  readonly storage: RunStorage;
}

interface OwnRunsSettings {
  /** A shutdown: runs finish their step and are left for the next start. Default never. */
  readonly signal?: AbortSignal | undefined;
  /** Silent by default. */
  readonly logger?: RunLogger | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Work that a thread has: a run to carry; one that people keep paused; or one that ended, and now is shown. */
export type TakenRun =
  | { readonly kind: 'open'; readonly run: OwnRun }
  | { readonly kind: 'paused' }
  | { readonly kind: 'ended'; readonly standing: RunStanding };

/** Runs of one place, for an agent of one's own. */
export interface OwnRuns {
  /** Begins a run of this thread, recovers what a crash left of it, or resumes it. */
  readonly take: (task: OwnTask) => Promise<TakenRun>;
  /** Lists the runs of a thread that ended, for what inherits from them. */
  readonly listRuns: TaskIndex['find'];
  /** Reads what they left. */
  readonly lines: RunLines;
  /** Gives the place back; runs that are open are left for the next start. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the runs of a directory, or of any other storage, for an agent with a loop of its own. A run survives its process at any moment: what was
 * said is delivered once, and what was shown is shown once.
 *
 * @throws ContextStoreError when another process owns the directory
 *
 * @example
 * const runs = await openRuns({ directory: './runs' });
 * const taken = await runs.take({ thread, comments, openConversation, show });
 * if (taken.kind === 'open') {
 *   const { run } = taken;
 *   while ((await run.next()) === 'work') await run.append(await askModel(run.messages));
 *   await run.conclude({ status: 'completed', finalText: 'Done.' });
 * }
 */
export async function openRuns(options: OwnRunsOptions): Promise<OwnRuns> {
  const { signal, logger = silentLogger, now = Date.now } = options;
  const storage =
    'storage' in options
      ? options.storage
      : await openFileStorage(toRecordDirectories(resolve(options.directory)), { now, logger });
  const owner = await storage.members.acquire({ exclusive: true, signal });
  const { lost, release } = owner;
  const closed = new AbortController();
  const gone = AbortSignal.any([lost, closed.signal]);
  const shutdown = signal === undefined ? gone : AbortSignal.any([gone, signal]);
  const { store } = openRecords(storage, owner);
  const { controls, pauseSignal, lines } = storage;
  try {
    const carrier = { store, controls, pauseSignal, shutdown, logger, now };
    const take = createTake(carrier, await listLeft(carrier));
    return {
      take: async (task) => {
        gone.throwIfAborted();
        return take(task);
      },
      listRuns: async (...asked) => (await storage.index.open()).find(...asked),
      lines,
      close: async () => {
        closed.abort(new Error(`The runs in "${storage.location}" were closed. Open them again.`));
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Runs that an earlier process left in `running/`; each is taken once. */
interface LeftRuns {
  readonly unfinished: Set<InterruptedRun>;
  readonly pausing: Set<PausedRun>;
}

/** Lists them once: it tidies up there, which must not happen while a run is being begun. */
async function listLeft({ store, logger }: Pick<Carrier, 'store' | 'logger'>): Promise<LeftRuns> {
  const { runs, pausing, damaged } = await store.listInterrupted();
  reportDamaged(logger, damaged);
  return { unfinished: new Set(runs), pausing: new Set(pausing) };
}

/** Creates `take`. Two runs of one thread would tell it everything twice: one is held until it is paused or concluded. */
function createTake(carrier: Carrier, left: LeftRuns): OwnRuns['take'] {
  const held = new Set<string>();
  /** Threads whose run was left. */
  const gone = new Set<string>();
  /** Runs whose conversation could not be opened yet: the next call carries them. */
  const unopened = new Map<string, Pick<CarriedRun, 'open' | 'origin'>>();
  return async (task) => {
    const { host, taskKeyText } = task.thread;
    const key = `${taskKeyText} on ${host}`;
    if (gone.has(key)) throw new Error(`The run of ${key} was left for the next start. Open the runs again.`);
    if (held.has(key)) throw new Error(`The run of ${key} is already open. Pause or conclude it first.`);
    held.add(key);
    const onRest = (): void => void held.delete(key);
    const onLeft = (): void => void gone.add(key);
    try {
      const found =
        unopened.get(key) ??
        (await takeLeft(carrier, { left, task })) ??
        (await takePausedOrBegin(carrier, task));
      if (!('open' in found)) {
        onRest();
        return found;
      }
      unopened.set(key, found);
      const run = await carry(carrier, { ...found, task, onRest, onLeft });
      unopened.delete(key);
      return { kind: 'open', run };
    } catch (error) {
      onRest();
      throw error;
    }
  };
}

type FoundRun = Exclude<TakenRun, { kind: 'open' }> | Pick<CarriedRun, 'open' | 'origin'>;

/** Does what an earlier process left to be done for a thread; null where it left no run that could be carried. */
async function takeLeft(
  { store, controls, pauseSignal }: Pick<Carrier, 'store' | 'controls' | 'pauseSignal'>,
  { left, task }: { readonly left: LeftRuns; readonly task: OwnTask },
): Promise<FoundRun | null> {
  const pausing = [...left.pausing].find(isOf(task));
  if (pausing !== undefined) {
    const { uuid } = pausing;
    await commitPause(store, { uuid, show: (count) => showPause(task, { uuid, count }) });
    left.pausing.delete(pausing);
  }
  const unfinished = [...left.unfinished].find(isOf(task));
  if (unfinished === undefined) return null;
  const { uuid, outcome } = unfinished;
  if (outcome === null) {
    if (await pauseSignal.isSet()) return { kind: 'paused' };
    const open = await store.restore(uuid);
    left.unfinished.delete(unfinished);
    return { open, origin: 'recovered' };
  }
  const standing = toStanding(uuid, outcome);
  await task.show(standing);
  await putAway({ store, controls }, uuid);
  left.unfinished.delete(unfinished);
  return { kind: 'ended', standing };
}

async function takePausedOrBegin(
  { store, controls, pauseSignal, logger }: Pick<Carrier, 'store' | 'controls' | 'pauseSignal' | 'logger'>,
  task: OwnTask,
): Promise<FoundRun> {
  if (await pauseSignal.isSet()) return { kind: 'paused' };
  const { runs, damaged } = await store.listPaused();
  reportDamaged(logger, damaged);
  const paused = runs.find(isOf(task));
  if (paused === undefined) return { open: await begin(store, task), origin: 'begun' };
  const { uuid } = paused;
  if (isHeldPaused(await controls.read(uuid))) return { kind: 'paused' };
  const open = await store.resume(uuid);
  await forgetPause(controls, uuid);
  return { open, origin: 'resumed' };
}

async function begin(
  store: Pick<Carrier['store'], 'open'>,
  { thread, describe }: Pick<OwnTask, 'thread' | 'describe'>,
  newUuid: () => string = randomUUID,
): Promise<CarriedRun['open']> {
  const described = (await describe?.()) ?? {};
  const unsaid = { uuid: newUuid(), user: null, config: {}, extra: {} };
  return store.open({ ...unsaid, ...described, ...thread });
}

function isOf({ thread }: Pick<OwnTask, 'thread'>) {
  return ({ metadata: { taskKeyText, host } }: Pick<InterruptedRun, 'metadata'>): boolean =>
    taskKeyText === thread.taskKeyText && host === thread.host;
}

function reportDamaged(logger: Pick<RunLogger, 'error'>, damaged: readonly DamagedRun[]): void {
  for (const { name, reason } of damaged) logger.error({ run: name, reason }, 'failed to read run');
}
