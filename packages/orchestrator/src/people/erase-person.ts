import { ContextStoreError, type Json, type Ownership } from '@agent/run-store';
import { redactPerson } from './redact-person.ts';
import type { PersonRun, SearchedStorage, StoredPerson } from './stored-person.ts';

/** What of a person can be erased, and what has to wait. */
export interface ErasurePlan {
  readonly ended: readonly PersonRun[];
  readonly notes: readonly string[];
  /** Accounts of spending. */
  readonly accounts: readonly string[];
  /** Runs that have not ended, which need what the person said; and others that cannot be read. */
  readonly active: readonly PersonRun[];
  readonly damaged: StoredPerson['damaged'];
  /** Requests to runs, by their tasks. */
  readonly requests: readonly string[];
  /** Tasks that wait for a run which the person asked for. */
  readonly waitingTasks: number;
  readonly hasPausedAll: boolean;
}

/** What was erased. */
export interface ErasedPerson {
  readonly runs: number;
  readonly notes: number;
  readonly accounts: number;
  /** Runs that could not be rewritten, each with the reason. */
  readonly failed: readonly { readonly name: string; readonly reason: string }[];
}

/** Notes of labels that the agent put back, each with the account whose authority the next run has. */
const waitingFolder = 'handovers/';

/** Decides what of a person can be erased now: what a run that has not ended depends on waits for its end. */
export function planErasure(person: StoredPerson): ErasurePlan {
  const { runs, damaged, notes, spending, controls, hasPausedAll } = person;
  const active = runs.filter(({ place }) => place !== 'completed');
  const names = notes.map(({ name }) => name);
  const waiting = names.filter((name) => name.startsWith(waitingFolder));
  return {
    ended: runs.filter(({ place }) => place === 'completed'),
    notes: names.filter((name) => !waiting.includes(name)),
    // A call under way is paid from it.
    accounts: active.length > 0 ? [] : spending.map(({ name }) => name),
    active,
    damaged,
    requests: controls.map(({ name }) => name),
    waitingTasks: waiting.length,
    hasPausedAll,
  };
}

/** Tells whether a plan erases nothing. */
export function isNothingToErase({ ended, notes, accounts }: ErasurePlan): boolean {
  return ended.length + notes.length + accounts.length === 0;
}

export interface ErasePersonOptions {
  readonly plan: ErasurePlan;
  readonly person: Pick<StoredPerson, 'changeNote'>;
  /** Owner of the storage. */
  readonly owner: Ownership;
}

/**
 * Erases a person: each note and each run is changed as a whole, or not at all. What was cut off is completed by doing all of it again, for which
 * runs go last: they are how the account is found.
 */
export async function erasePerson(
  storage: SearchedStorage,
  { plan, person, owner }: ErasePersonOptions,
): Promise<ErasedPerson> {
  const { notes, accounts, transfer } = storage;
  if (plan.accounts.length > 0) await accounts?.forget(plan.accounts, { owner });
  for (const name of plan.notes) await notes.change(name, (value) => person.changeNote(name, value as Json));
  const failed: { name: string; reason: string }[] = [];
  let runs = 0;
  for (const { uuid, name, person: traits } of plan.ended) {
    const run = transfer?.openRun(uuid, 'completed');
    const change = (value: Json, state: string | null) => redactPerson(value, { person: traits, state });
    try {
      if ((await owner.guard(async () => run?.rewrite(change))) === true) runs += 1;
    } catch (error) {
      if (!ContextStoreError.isInstance(error) || error.code !== 'damaged') throw error;
      failed.push({ name, reason: error.message });
    }
  }
  return { runs, notes: plan.notes.length, accounts: plan.accounts.length, failed };
}
