import { PlatformError } from '@agent/platforms';
import type { IntentResult, OutboxEntry } from '@agent/run-store';
import { ErrorEpisodes, toErrorMessage } from '@agent/text';
import { findRule, type GiveUpOptions, giveUp, giveUpWhereAsked, listOpen } from '../intents/give-up.ts';
import type { Run } from '../run/run.ts';
import { isDeleted, ThreadHiddenError } from '../run/watch-thread.ts';

/** An entry that is still open, and why. */
export interface OpenEntry {
  readonly entry: OutboxEntry;
  readonly error: unknown;
}

/**
 * Carries out one entry; repeating it is safe. Null where it rests on another entry, which is open.
 *
 * @throws what kept it from being done, whatever it was: then the entry stays open
 */
export type PerformEntry = (
  run: Run,
  at: { readonly entry: OutboxEntry; readonly entries: readonly OutboxEntry[] },
) => Promise<IntentResult | null>;

export interface SettleRunOptions extends GiveUpOptions {
  readonly perform: PerformEntry;
  readonly now: () => number;
}

/** Tries each open entry of a run once, in their order, or those that are `wanted`. @returns those that could not be done */
export type SettleRun = (run: Run, wanted?: (id: string) => boolean) => Promise<readonly OpenEntry[]>;

/**
 * Creates what carries out the outbox of a run. An entry is done, open, or given up: by somebody who said `settle`, or by the rule
 * of seven days. No refusal of a platform gives one up: a token, a lock, a rule or an incident may be over in an hour. Only a thread
 * that was deleted does, once its repository answers.
 */
export function createSettleRun({ perform, controls, now }: SettleRunOptions): SettleRun {
  const episodes = new ErrorEpisodes({ now });
  const tryOne = async (run: Run, entry: OutboxEntry, entries: readonly OutboxEntry[]) => {
    const key = `${run.uuid} ${entry.id}`;
    try {
      const result = await perform(run, { entry, entries });
      if (result !== null) await run.outbox.settle(entry.id, result);
      episodes.end(key);
      return null;
    } catch (error) {
      run.recordCheck.requireOwned();
      const line = { logger: run.logger, level: 'error', message: 'failed to apply outbox entry' } as const;
      episodes.fail(key, error, { ...line, fields: { entry: entry.id } });
      const isOld = now() - Date.parse(entry.openedAt) >= deletionMs;
      const deletion = isOld ? await checkDeletion(run, error) : null;
      const by = deletion === 'deleted' ? ofDeletion.by : findRule(entry, { error, now });
      if (by === null) return { entry, error: deletion ?? error };
      await giveUp(run, entry, { by, reason: toErrorMessage(error) });
      episodes.forget(key);
      return null;
    }
  };
  return async (run, wanted = () => true) => {
    const { outbox } = run;
    await giveUpWhereAsked({ controls }, run);
    const tried = new Set<string>();
    const failed: OpenEntry[] = [];
    for (;;) {
      // An entry may open another one.
      const entries = await outbox.list();
      const next = listOpen(entries).find(({ id }) => wanted(id) && !tried.has(id));
      if (next === undefined) return failed;
      tried.add(next.id);
      const open = await tryOne(run, next, entries);
      if (open !== null) failed.push(open);
    }
  };
}

/** A thread counts as deleted for an entry that was open so long: issues may have been switched off for a while. */
const deletionMs = 3_600_000;

/** Entries of a thread that was deleted are discarded: nothing can be shown there. */
export const ofDeletion = {
  by: 'the deletion of the issue or pull request',
  reason: 'The issue or pull request was deleted.',
};

/** Null where nothing shows that the thread was deleted; the reason if the agent may only have lost its access. */
async function checkDeletion({ thread }: Run, error: unknown): Promise<'deleted' | ThreadHiddenError | null> {
  if (!PlatformError.isInstance(error) || error.code !== 'not-found') return null;
  try {
    return (await isDeleted(thread.ports)) ? 'deleted' : null;
  } catch (hidden) {
    if (hidden instanceof ThreadHiddenError) return hidden;
    throw hidden;
  }
}
