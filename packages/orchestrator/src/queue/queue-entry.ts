import { parseTaskKey, type TaskKey } from '@agent/platforms';
import type { QueuedTask } from '../board/queued-tasks.ts';
import { nameOfRun } from '../board/run-summary.ts';

/** A task that waits for its turn: data, so that a database can hold it. */
export interface QueueEntry {
  /** The thread, by host and task key; of a run that has ended, its own. Entries with the same key never run at the same time. */
  readonly key: string;
  /**
   * A thread that waits; a run that an earlier process or an outage interrupted; a paused one; one that failed; one that has ended
   * and whose end is not shown whole, where processes share the queue: its thread may have another beside it.
   */
  readonly kind: 'new' | 'interrupted' | 'paused' | 'retry' | 'ended';
  /** The host that the thread belongs to, such as `github.com`. */
  readonly platform: string;
  /** The run to resume, or to retry; null where none has begun. */
  readonly runId: string | null;
  /** Order among tasks without a run, from -100 to 100; a higher value starts first. Default 0. */
  readonly priority?: number | undefined;
  /** Page of the thread. Default null, as title and user. */
  readonly url?: string | null | undefined;
  /** Null where processes share the queue: texts and names of people are not stored in it. */
  readonly title?: string | null | undefined;
  /** Author of the issue or pull request, as `title`. */
  readonly user?: string | null | undefined;
}

/** An entry that waits. */
export interface WaitingEntry extends QueueEntry {
  /** Milliseconds since 1970 since which it can begin. */
  readonly since: number;
}

/** Values of priority by label. */
export type LabelPriorities = Readonly<Record<string, number>>;

/** Finds the highest value of the labels; 0 if none of them has a value. Case does not count. */
export function findPriority(labels: readonly string[], priorities: LabelPriorities): number {
  const names = new Set(labels.map((label) => label.toLowerCase()));
  const values = Object.entries(priorities).filter(([label]) => names.has(label.toLowerCase()));
  return values.length === 0 ? 0 : Math.max(...values.map(([, value]) => value));
}

/** Names one thread, whatever found it, so that it never has two runs at the same time. */
export function toThreadKey(host: string, taskKeyText: string): string {
  return `${host} ${taskKeyText}`;
}

/** Names the end of one run, so that it is shown beside what else its thread has. */
export function toEndKey(threadKey: string, uuid: string): string {
  return `${threadKey} end of ${uuid}`;
}

/** Reads the task key of an entry's thread. */
export function readTaskKey(entry: Pick<QueueEntry, 'key' | 'platform'>): TaskKey {
  return parseTaskKey(readTaskKeyText(entry));
}

/** The same as it is written. */
export function readTaskKeyText({ key, platform }: Pick<QueueEntry, 'key' | 'platform'>): string {
  return key.slice(platform.length + 1).replace(/ end of [0-9a-f-]{36}$/, '');
}

/** Describes an entry of the queue as views show it. */
export function toQueuedTask(entry: WaitingEntry): QueuedTask {
  const { platform: host, kind, runId: uuid, since, url = null, title = null, user = null } = entry;
  const thread = readTaskKeyText(entry);
  const task = nameOfRun({ taskKeyText: thread, url });
  return { task, uuid, thread, host, kind, title, url, user, since: new Date(since).toISOString() };
}
