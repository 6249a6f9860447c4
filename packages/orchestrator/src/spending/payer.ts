import type { Account } from '@agent/platforms';
import type { Run } from '../run/run.ts';
import type { RepositoryFacts, RunFacts } from '../run/run-facts.ts';
import { type RecordedThread, toRecordedThread } from '../triggers/handover-records.ts';

/** Whoever and whatever the calls of a run are paid for. */
export interface Payer {
  readonly uuid: string;
  readonly thread: RecordedThread;
  /** Account that started it; null where the platform does not say. */
  readonly person: Account | null;
  readonly repository: Pick<RepositoryFacts, 'id' | 'path'> | null;
}

/** Names what a run is paid from. */
export function toPayer({ uuid, facts, thread }: Pick<Run, 'uuid' | 'facts' | 'thread'>): Payer {
  return toPayerOf({ uuid, facts, thread: toRecordedThread(thread.ports.key, thread.platform.platform) });
}

/** The same of a run that is not at work. */
export function toPayerOf({
  uuid,
  facts,
  thread,
}: {
  readonly uuid: string;
  readonly facts: Pick<RunFacts, 'handover' | 'repository'>;
  readonly thread: RecordedThread;
}): Payer {
  return { uuid, thread, person: facts.handover?.by ?? null, repository: facts.repository };
}

/** Kind of an account that can have a limit. */
export type SpendingScope = 'run' | 'thread' | 'person' | 'repository' | 'day';

/** Names the account of a run. */
export function nameRunAccount(uuid: string): string {
  return `run:${uuid}`;
}

/** Names the account of all runs of a thread. */
export function nameThreadAccount({ host, taskKeyText }: RecordedThread): string {
  return `thread:${host} ${taskKeyText}`;
}

/** Names the accounts of a call, on this day: `2026-11-23`. */
export function nameAccounts(
  { uuid, thread, person, repository }: Payer,
  day: string,
): Readonly<Record<SpendingScope, string | null>> {
  const { host } = thread;
  return {
    run: nameRunAccount(uuid),
    thread: nameThreadAccount(thread),
    // Those of whom nobody knows who they are share one.
    person: `person:${host} ${person?.id ?? 'unknown'}`,
    repository: repository === null ? null : `repository:${host} ${repository.id ?? repository.path}`,
    day: nameDayAccount(day),
  };
}

/** Names the account of all runs of a day: `2026-11-23`. */
export function nameDayAccount(day: string): string {
  return `day:${day}`;
}
