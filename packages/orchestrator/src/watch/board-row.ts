import type { Outcome, RecentRun, RunHead } from '@agent/run-store';
import type { WaitsFor } from '@agent/runner';
import { nameOfRun, repositoryOf, toPausedSummary } from '../board/run-summary.ts';
import { readTaskKeyText, type WaitingEntry } from '../queue/queue-entry.ts';
import { deriveRunState, type RunState, toQueuedState } from '../state/run-state.ts';
import { readPausedBy, readWait } from '../state/waits.ts';
import type { RowProgress, RunCourse } from './run-course.ts';

/** One task, as small as it is kept: there may be a hundred thousand. */
export interface RunEntry {
  /** Uuid of the run; key of the thread for one that waits for its first run. */
  readonly id: string;
  readonly uuid: string | null;
  /** `github_issue:acme:shop:42` */
  readonly threadKey: string;
  readonly host: string;
  /** `acme/shop#42` */
  readonly name: string;
  readonly repository: string | null;
  readonly title: string | null;
  /** Page of the thread; null if it has none. */
  readonly url: string | null;
  readonly state: RunState;
  /** Null while it has not ended. */
  readonly status: Outcome | null;
  /** Milliseconds since 1970 at which it came into this state; null if it is not known. */
  readonly since: number | null;
  /** Place among those of its state, the lowest first. */
  readonly order: number;
  /** Reason of the outcome; null for none. */
  readonly endReason: string | null;
  /** Author of the issue or pull request; null if it is unknown. */
  readonly user: string | null;
  /** True for a run that was paused and that waits in the queue to continue. Default false. */
  readonly isResumed?: boolean | undefined;
  /** Null for one that has ended. */
  readonly live: LiveParts | null;
}

/** Parts of a task that has not ended. */
export interface LiveParts {
  readonly waitsFor: WaitsFor | null;
  /** User who paused the run; null if it is unknown. */
  readonly pausedBy: string | null;
  /** Error or other reason in the words of the record. */
  readonly reason: string | null;
  readonly progress: RowProgress | null;
  /** Number of the step that is under way, as the log has it. */
  readonly step: number | null;
  /** Tool that runs now. */
  readonly tool: string | null;
  /** Start of its call in milliseconds since 1970; null without one. */
  readonly toolSince: number | null;
  readonly tokens: number | null;
  /** Millionths of the currency. */
  readonly costMicros: number | null;
}

const nothingLive: LiveParts = {
  ...{ waitsFor: null, pausedBy: null, reason: null, progress: null },
  ...{ step: null, tool: null, toolSince: null, tokens: null, costMicros: null },
};

/** Tells a run that ended. */
export function toEndedEntry(run: RecentRun): RunEntry {
  const { uuid, taskKeyText: threadKey, host, title, url, status } = run;
  const since = Date.parse(run.finishedAt ?? run.createdAt);
  const name = nameOfRun(run);
  const repository = repositoryOf(threadKey, name);
  const about = { threadKey, host, name, repository, title, url };
  return {
    ...{ id: uuid, uuid, ...about, state: 'ended', status },
    ...{ since, order: -since, endReason: run.reason, user: run.user, live: null },
  };
}

/** Tells a run that has not ended, by what is known of it and what its record said. */
export function toLiveEntry(head: RunHead, course: RunCourse | null): RunEntry {
  const { uuid, metadata } = head;
  const pause = head.pause ?? course?.pause ?? null;
  const outcome = course?.status ?? null;
  const summary = pause === null ? null : toPausedSummary({ uuid, metadata, state: pause });
  const since = Date.parse(pause?.pausedAt ?? metadata.createdAt);
  const { title = null, url = null } = metadata.extra;
  const shown = { title: textOrNull(title), url: textOrNull(url) };
  const threadKey = metadata.taskKeyText;
  const name = nameOfRun({ taskKeyText: threadKey, url: shown.url });
  const repository = repositoryOf(threadKey, name);
  return {
    ...{ id: uuid, uuid, threadKey, host: metadata.host, name, repository, ...shown },
    ...{ state: deriveRunState({ isEnded: false, pause, outcome }), since, order: since },
    ...{ status: outcome, endReason: course?.reason ?? null, user: metadata.user },
    live: {
      waitsFor: pause && readWait(pause),
      pausedBy: pause && readPausedBy(pause),
      reason: pause?.lastError ?? null,
      progress: course?.progress ?? summary?.plan ?? null,
      step: course?.step ?? null,
      tool: pause === null ? (course?.tool ?? null) : null,
      toolSince: pause === null ? (course?.toolSince ?? null) : null,
      tokens: course?.tokens ?? null,
      costMicros: course?.costMicros ?? null,
    },
  };
}

/** Tells a thread that waits for its first run. `order`: its place among those that wait. */
export function toWaitingEntry(waiting: WaitingEntry, { order }: { readonly order: number }): RunEntry {
  const { platform: host, since, url = null, title = null, user = null } = waiting;
  const threadKey = readTaskKeyText(waiting);
  const name = nameOfRun({ taskKeyText: threadKey, url });
  const repository = repositoryOf(threadKey, name);
  return {
    ...{ id: threadKey, uuid: null, threadKey, host, name, repository, title, url },
    ...{ state: 'queued', status: null, since, order, endReason: null, user, live: nothingLive },
  };
}

/** The same task while its entry waits in the queue. */
export function toQueuedEntry(
  entry: RunEntry,
  { waiting, order }: { readonly waiting: WaitingEntry; readonly order: number },
): RunEntry {
  const state = toQueuedState(entry.state, waiting);
  if (state !== 'queued') return entry;
  return { ...entry, state, order, since: waiting.since, isResumed: waiting.kind === 'paused' };
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
