import { DeferredError } from '../intents/call-with-retry.ts';
import type { Run } from '../run/run.ts';
import type { MoneyHold } from '../spending/money-holds.ts';
import type { RunSpending } from '../spending/run-spending.ts';
import type { HeldByProcess } from './activate.ts';

export interface RequireMoneyOptions {
  readonly spending: Pick<RunSpending, 'findHold'> | null;
  /** Continues the run. */
  readonly again: () => Promise<void>;
  /** Pauses the run. Default: a pause is applied once the run continues. */
  readonly pause?: (() => Promise<void>) | undefined;
}

/**
 * Defers a run while a budget that it shares is used up, with one comment on its thread. A run that a user stopped continues to its end.
 *
 * @returns `paused` if a user paused the run while it waited
 * @throws DeferredError with the time until the budget is read again
 */
export async function requireMoney(
  held: HeldByProcess,
  { spending, again, pause }: RequireMoneyOptions,
): Promise<'granted' | 'paused'> {
  const { run, control } = held;
  const hold = (await spending?.findHold()) ?? null;
  if (hold === null) return 'granted';
  const asked = await control.interruptions.requests.read({}).catch(() => 'none');
  if (asked === 'pause' && pause !== undefined) {
    await pause();
    run.thread.comments.close();
    return 'paused';
  }
  if (asked === 'stop' || (await control.isToldToStop().catch(() => false))) return 'granted';
  await tellMoneyHold(run, hold);
  run.thread.comments.close();
  await held.leave();
  throw new DeferredError(again, { waitMs: hold.waitMs });
}

const moneyStateName = 'waits_for_money';

/** Comments once for each used-up budget that the run waits. */
async function tellMoneyHold(
  { uuid, state, thread, logger }: Run,
  { account, text }: MoneyHold & { readonly text: string },
): Promise<void> {
  const told = await state.read(moneyStateName).catch(() => null);
  if (told === account) return;
  logger.warn({ account }, 'deferred run: budget is used up');
  await thread.writer.post({ topic: `run:${uuid}:money`, body: text });
  await state.write(moneyStateName, account);
}
