import type { Outbox, OutboxEntry, RunControls } from '@agent/run-store';
import type { RunLogger } from '../host/ports.ts';
import { isTransient } from './call-with-retry.ts';

/** A run, as far as its outbox goes. */
export interface IntentRun {
  readonly uuid: string;
  readonly outbox: Outbox;
  readonly logger: RunLogger;
}

export interface GiveUpOptions {
  readonly controls: Pick<RunControls, 'read' | 'remove'>;
}

/** A rule by which an entry that cannot be done is given up after so long. */
interface GivingUp {
  readonly by: string;
  readonly afterMs: number;
}

const hourMs = 3_600_000;
const limitOfExtras: GivingUp = { by: 'the one-hour limit for reactions and checks', afterMs: hourMs };

/**
 * Limits by kind of entry. A reaction to a command that was executed and another run of a flaky check are extras: the run
 * does not need them, and a token without the permission can never do them.
 */
const giveUpAfter: Readonly<Record<string, GivingUp>> & { readonly default: GivingUp } = {
  default: { by: 'the seven-day limit', afterMs: 7 * 24 * hourMs },
  reaction: limitOfExtras,
  rerun: limitOfExtras,
};

export function listOpen(entries: readonly OutboxEntry[]): readonly OutboxEntry[] {
  return entries.filter(({ state }) => state === 'open');
}

/** Names the rule by which an entry that failed is given up now; null while it is to be tried again. */
export function findRule(
  { kind, openedAt }: OutboxEntry,
  { error, now }: { readonly error: unknown; readonly now: () => number },
): string | null {
  const limit = isTransient(error) ? giveUpAfter.default : giveUpAfter[kind];
  const { by, afterMs } = limit ?? giveUpAfter.default;
  return now() - Date.parse(openedAt) >= afterMs ? by : null;
}

/** Gives up all open entries if an operator requested that by `settle`. @returns whether an operator did */
export async function giveUpWhereAsked({ controls }: GiveUpOptions, run: IntentRun): Promise<boolean> {
  if (!(await controls.read(run.uuid)).includes('settle')) return false;
  for (const entry of listOpen(await run.outbox.list()))
    await giveUp(run, entry, { by: 'an operator', reason: 'The update was discarded.' });
  await controls.remove(run.uuid, ['settle']);
  return true;
}

/** Settles an entry as given up. */
export async function giveUp(
  { outbox, logger }: Pick<IntentRun, 'outbox' | 'logger'>,
  { id, kind }: OutboxEntry,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<void> {
  await outbox.settle(id, { state: 'given-up', by, reason });
  logger.warn({ entry: id, kind, by, reason }, 'discarded outbox entry');
}
