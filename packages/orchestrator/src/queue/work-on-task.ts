import { formatTaskKey } from '@agent/platforms';
import type { RunReader, TaskQueue } from '@agent/run-store';
import type { BegunRun } from '../lifecycle/begin.ts';
import type { Runs } from '../parts/assemble-runs.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { type QueueEntry, readTaskKey, toEndKey } from './queue-entry.ts';

/** A task while it is carried out. */
export interface Task {
  readonly entry: QueueEntry;
  /** Kind as which it is carried out. */
  readonly kind: QueueEntry['kind'];
  /** Throws where it is not configured any more. */
  readonly platform: () => ConfiguredPlatform;
  /** The run that carries it, as soon as there is one. */
  runId: string | null;
}

export interface WorkOnTaskOptions {
  /** Reads what is known of runs, wherever they lie and whichever process has them. */
  readonly reader: Pick<RunReader<unknown>, 'readRun' | 'listRunning'>;
  /** Hears of a paused run that cannot be restored, so that its thread may begin a new one. */
  readonly giveUp: (uuid: string) => void;
  /** The queue, where other processes work on it as well. Default: this process has it for itself. */
  readonly shared?: Pick<TaskQueue<QueueEntry>, 'knows'> | undefined;
}

type WorkOnTask = (runs: Runs, task: Task, options: WorkOnTaskOptions) => Promise<void>;

/** Carries out a task of each kind. */
export const workOnTask: Readonly<Record<QueueEntry['kind'], WorkOnTask>> = {
  new: async (runs, task, options) => {
    // What is to be done is what the record says: an attempt may have failed after it had begun a run, or, where processes share the
    // queue, the one that had the thread may have died after this entry was made.
    const mayBeBegun = options.shared !== undefined || task.entry.kind !== 'new';
    const left = mayBeBegun ? await findUnfinished(task.entry, options) : null;
    if (left !== null) {
      task.runId = left;
      return workOnTask.interrupted(runs, { ...task, entry: { ...task.entry, runId: left } }, options);
    }
    const summary = { key: readTaskKey(task.entry) };
    await execute(runs, task, await runs.begin({ summary, platform: task.platform() }));
  },
  retry: async (runs, task) => {
    const failed = { uuid: requireRunId(task.entry), platform: task.platform() };
    await execute(runs, task, await runs.beginRetry(failed));
  },
  // Interrupted before there was a run, perhaps.
  interrupted: (runs, task, options) =>
    task.entry.runId === null ? workOnTask.new(runs, task, options) : goOn(runs, task, options),
  ended: goOn,
  paused: goOn,
};

/** Goes on with a run from where its record says that it is: another process may have resumed or ended it since it was offered. */
async function goOn(
  { finishPause, recover, resume }: Runs,
  { entry, platform }: Task,
  { reader, giveUp, shared }: WorkOnTaskOptions,
): Promise<void> {
  const { uuid, place, metadata, outcome, pause } = await reader.readRun(requireRunId(entry));
  if (place === 'completed') return;
  // Whoever looks offers it as a paused one, once nobody keeps it so.
  if (place === 'paused' && shared !== undefined && entry.kind === 'interrupted') return;
  if (place === 'paused')
    return resume({ paused: { uuid, metadata }, platform: platform(), giveUp: () => giveUp(uuid) });
  const isGoingOn = outcome === null || outcome.status === 'needs_input';
  if (isGoingOn && pause?.status === 'paused')
    await finishPause({ pausing: { uuid, metadata, state: pause }, platform: platform() });
  else await recover({ unfinished: { uuid, metadata, outcome }, platform: platform() });
}

/** The run of a thread that has begun and not ended, or whose end nobody shows apart; null where there is none. */
async function findUnfinished(
  entry: QueueEntry,
  { reader, shared }: Pick<WorkOnTaskOptions, 'reader' | 'shared'>,
): Promise<string | null> {
  const of = { host: entry.platform, taskKeyText: formatTaskKey(readTaskKey(entry)) };
  for (const { uuid, outcome } of await reader.listRunning({ of })) {
    if (outcome === null) return uuid;
    if (shared !== undefined && !(await shared.knows(toEndKey(entry.key, uuid)))) return uuid;
  }
  return null;
}

async function execute(runs: Runs, task: Task, begun: BegunRun | null): Promise<void> {
  if (begun === null) return;
  task.runId = begun.run.uuid;
  await runs.execute(begun, begun.snapshot);
}

function requireRunId({ key, kind, runId }: QueueEntry): string {
  if (runId === null) throw new Error(`The queue entry of ${key} has the kind ${kind} but no run.`);
  return runId;
}
