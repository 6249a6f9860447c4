import type { ClaimLostError } from '../run/run-claim.ts';
import { formatWithdrawal, readRunStatistics } from '../run/run-ending.ts';
import type { HeldByProcess } from './activate.ts';
import { commitEnd, type FinishRun } from './conclude.ts';

/**
 * Ends a run whose thread is another one's, or shows its end already: the end is committed as a stop with its reason, the run's own claim goes as an entry of
 * its outbox, and what else it wanted is given up. The label and all else on the thread are left to the run that holds it, or as its end left them.
 *
 * @throws DeferredError while the disk does not take the end
 */
export type Withdraw = (held: Pick<HeldByProcess, 'run'>, lost: ClaimLostError) => Promise<void>;

/** Creates it. */
export function createWithdraw(finish: FinishRun): Withdraw {
  return async ({ run }, { message, holder }) => {
    run.logger.warn({ holder, reason: message }, 'withdrawing run: another run holds task');
    const statistics = await readRunStatistics(run);
    const end = { status: 'stopped', reason: message, finalText: null, statistics } as const;
    await commitEnd(run, { ...end, details: formatWithdrawal(holder) }, finish);
  };
}
