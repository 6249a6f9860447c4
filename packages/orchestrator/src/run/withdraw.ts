import type { HeldByProcess } from './activate.ts';
import { commitEnd, type FinishRun } from './conclude.ts';
import type { ClaimLostError } from './run-claim.ts';
import { formatWithdrawal, readRunStatistics } from './run-ending.ts';

/**
 * Ends a run that lost its thread to another one: the end is committed as a stop with its reason, the run's own claim goes as an entry of
 * its outbox, and what else it wanted is given up. The label and all else on the thread are left to the run that holds it.
 *
 * @throws DeferredError while the disk does not take the end
 */
export type Withdraw = (held: Pick<HeldByProcess, 'run'>, lost: ClaimLostError) => Promise<void>;

/** Creates it. */
export function createWithdraw(finish: FinishRun): Withdraw {
  return async ({ run }, { message, holder }) => {
    run.logger.warn({ holder }, 'another run of this account claimed the thread first; this one withdraws');
    const statistics = await readRunStatistics(run);
    const end = { status: 'stopped', reason: message, finalText: null, statistics } as const;
    await commitEnd(run, { ...end, details: formatWithdrawal(holder) }, finish);
  };
}
