import { PlatformError } from '@agent/platforms';
import type { IntentResult, OutboxEntry, RunControls } from '@agent/run-store';
import { toErrorMessage } from '@agent/text';
import { isTransient } from '../run/call-with-retry.ts';
import type { Run } from '../run/run.ts';
import { isDeleted } from '../run/watch-thread.ts';

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

export interface SettleRunOptions {
  readonly perform: PerformEntry;
  readonly controls: Pick<RunControls, 'read' | 'remove'>;
  readonly now: () => number;
}

/** Tries each open entry of a run once, in their order, or those that are `wanted`. @returns those that could not be done */
export type SettleRun = (run: Run, wanted?: (id: string) => boolean) => Promise<readonly OpenEntry[]>;

/** A rule by which an entry that cannot be done is given up after so long. */
interface GivingUp {
  readonly by: string;
  readonly afterMs: number;
}

const seven: GivingUp = { by: 'the seven-day limit', afterMs: 7 * 86_400_000 };
/**
 * For what is refused to a token that may not do it and what can do without: a command was carried out, and nobody waits for more than the
 * sign of it; a flaky check that cannot be run again is one that failed.
 */
const oneHour: GivingUp = { by: 'the one-hour limit for reactions and checks', afterMs: 3_600_000 };
const ofOneHour: ReadonlySet<string> = new Set(['reaction', 'rerun']);

/**
 * Creates what carries out the outbox of a run. An entry is done, open, or given up: by somebody who said `settle`, or by the rule
 * of seven days. No refusal of a platform gives one up: a token, a lock, a rule or an incident may be over in an hour. Only a thread
 * that was deleted does, once its repository answers.
 */
export function createSettleRun({ perform, controls, now }: SettleRunOptions): SettleRun {
  const tryOne = async (run: Run, entry: OutboxEntry, entries: readonly OutboxEntry[]) => {
    try {
      const result = await perform(run, { entry, entries });
      if (result !== null) await run.outbox.settle(entry.id, result);
      return null;
    } catch (error) {
      run.recordCheck.requireOwned();
      run.logger.error({ err: error, entry: entry.id }, 'failed to apply outbox entry');
      const by = (await isOfDeletedThread(run, error)) ? ofDeletion.by : findRule(entry, { error, now });
      if (by === null) return { entry, error };
      await giveUp(run, entry, { by, reason: toErrorMessage(error) });
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

/** Entries of a thread that was deleted are discarded: nothing can be shown there. */
export const ofDeletion = {
  by: 'the deletion of the issue or pull request',
  reason: 'The issue or pull request was deleted.',
};

async function isOfDeletedThread({ thread }: Run, error: unknown): Promise<boolean> {
  const isMissing = PlatformError.isInstance(error) && error.code === 'not-found';
  return isMissing && isDeleted(thread.ports);
}

function listOpen(entries: readonly OutboxEntry[]): readonly OutboxEntry[] {
  return entries.filter(({ state }) => state === 'open');
}

/** Names the rule by which an entry that failed is given up now; null while it is to be tried again. */
export function findRule(
  { kind, openedAt }: OutboxEntry,
  { error, now }: { readonly error: unknown; readonly now: () => number },
): string | null {
  const { by, afterMs } = ofOneHour.has(kind) && !isTransient(error) ? oneHour : seven;
  return now() - Date.parse(openedAt) >= afterMs ? by : null;
}

/** Gives up all that is open where somebody said `settle`. @returns whether somebody did */
export async function giveUpWhereAsked(
  { controls }: Pick<SettleRunOptions, 'controls'>,
  run: Pick<Run, 'uuid' | 'outbox' | 'logger'>,
): Promise<boolean> {
  if (!(await controls.read(run.uuid)).includes('settle')) return false;
  for (const entry of listOpen(await run.outbox.list()))
    await giveUp(run, entry, { by: 'an operator', reason: 'The update was discarded.' });
  await controls.remove(run.uuid, ['settle']);
  return true;
}

/** Settles an entry as given up. */
export async function giveUp(
  { outbox, logger }: Pick<Run, 'outbox' | 'logger'>,
  { id, kind }: OutboxEntry,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<void> {
  await outbox.settle(id, { state: 'given-up', by, reason });
  logger.warn({ entry: id, kind, by, reason }, 'discarded outbox entry');
}
