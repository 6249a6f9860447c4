import type { ThreadReference } from '@agent/platforms';
import type { ListedRun, ListedRuns } from '../driver.ts';
import type { PausedRun } from '../lines/task-state.ts';
import type { PausedList, UnfinishedRuns } from '../ports.ts';
import { listOpenKinds } from '../record/outbox-ledger.ts';
import type { KnownFacts } from '../record/run-facts.ts';
import type { RunMetadata } from '../run-model.ts';
import { hasOther } from './run-errors.ts';

/** What a list says of a run with these facts. */
export function toListedRun({ metadata, outcome, pause, outbox }: KnownFacts): ListedRun {
  return { metadata, outcome, pause, openIntents: listOpenKinds(outbox) };
}

/** The runs that have not been put away, oldest first. */
export function toUnfinishedRuns({ found, damaged }: ListedRuns): UnfinishedRuns {
  const sorted = found.toSorted((a, b) => (a.metadata.createdAt < b.metadata.createdAt ? -1 : 1));
  return {
    runs: sorted
      .filter((run) => !isPausing(run))
      .map(({ metadata, outcome, openIntents }) => ({ uuid: metadata.uuid, metadata, outcome, openIntents })),
    damaged,
    pausing: sorted.filter(isPausing).flatMap(toPausedRun),
  };
}

/** A pause that is committed, of a run that a crash kept from being moved. */
function isPausing({ outcome, pause }: ListedRun): boolean {
  return (outcome === null || outcome.status === 'needs_input') && pause?.status === 'paused';
}

/** The runs that wait, the longest waiting first. */
export function toPausedRuns({ found, damaged }: ListedRuns): PausedList {
  const runs = found.flatMap(toPausedRun).toSorted((a, b) => (a.state.pausedAt < b.state.pausedAt ? -1 : 1));
  const odd = found.filter(({ pause }) => pause?.status !== 'paused').map(({ metadata }) => metadata.uuid);
  const reason = 'It is listed as paused, but its record does not say that it is paused.';
  return { runs, damaged: [...damaged, ...odd.map((name) => ({ name, reason }))] };
}

function toPausedRun({ metadata, pause }: ListedRun): readonly PausedRun[] {
  return pause?.status === 'paused' ? [{ uuid: metadata.uuid, metadata, state: pause }] : [];
}

/** Tells whether a run is about a thread. */
export function isOfThread({ taskKeyText, host }: ThreadReference, thread: ThreadReference): boolean {
  return taskKeyText === thread.taskKeyText && host === thread.host;
}

/**
 * Requires that none of the runs in `running` works on the thread of a new run.
 * @throws {ContextStoreError} `owned`
 */
export function requireAlone(running: ListedRuns, { uuid, ...thread }: RunMetadata): void {
  const other = toUnfinishedRuns(running).runs.find(
    ({ metadata, outcome }) => outcome === null && metadata.uuid !== uuid && isOfThread(metadata, thread),
  );
  if (other !== undefined) throw hasOther(thread, other.uuid);
}
