import type { QueuedTask } from '../board/queued-tasks.ts';
import { nameOfRun } from '../board/run-summary.ts';
import { readTaskKeyText, type WaitingEntry } from './task-queue.ts';

/** Describes an entry of the queue as views show it. */
export function toQueuedTask(entry: WaitingEntry): QueuedTask {
  const { platform: host, kind, runId: uuid, since, url = null, title = null, user = null } = entry;
  const thread = readTaskKeyText(entry);
  const task = nameOfRun({ taskKeyText: thread, url });
  return { task, uuid, thread, host, kind, title, url, user, since: new Date(since).toISOString() };
}
