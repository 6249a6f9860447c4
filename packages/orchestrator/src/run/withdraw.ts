import { ContextStoreError, type RunControls, type RunStore } from '@agent/run-store';
import type { ModelMessage } from 'ai';
import { z } from 'zod';
import type { HeldByProcess } from './activate.ts';
import { DeferredError, isTransient } from './call-with-retry.ts';
import type { Run } from './run.ts';
import type { ClaimLostError } from './run-claim.ts';
import { readRunStatistics } from './run-ending.ts';
import { putAway } from './run-record.ts';

export interface WithdrawOptions {
  readonly store: Pick<RunStore<ModelMessage>, 'finish'>;
  readonly controls: Pick<RunControls, 'remove'>;
}

/** Ends a run that lost its thread to another one, and says nothing of it on the thread. */
export interface Withdraw {
  /**
   * Commits the end as a stop with its reason, removes the run's own claim and puts the run away; the label and all else on the
   * thread are left to the run that holds it.
   *
   * @throws DeferredError when the platform does not take it now
   */
  readonly withdraw: (held: Pick<HeldByProcess, 'run'>, lost: ClaimLostError) => Promise<void>;
  /** Takes the steps after the end, for a run whose process died between them. */
  readonly finishWithdrawal: (run: Run) => Promise<void>;
}

const detailsSchema = z.object({ withdrawn_for: z.string() });

/** Tells whether an end is a withdrawal. */
export function isWithdrawn({ details }: { readonly details?: unknown }): boolean {
  return detailsSchema.safeParse(details).success;
}

/** The thread is another run's: what this one still wanted there is wanted no more. */
async function giveUpIntents({ outbox }: Run): Promise<void> {
  for (const { id, state } of await outbox.list()) {
    const reason = 'another run of this account claimed the thread first';
    if (state === 'open') await outbox.settle(id, { state: 'given-up', by: 'the withdrawal', reason });
  }
}

/** Creates it. */
export function createWithdraw(options: WithdrawOptions): Withdraw {
  const finishWithdrawal = async (run: Run): Promise<void> => {
    try {
      await run.claim.withdraw();
      await giveUpIntents(run);
      await putAway(options, run.uuid);
    } catch (error) {
      if (!isTransient(error) && !ContextStoreError.isInstance(error)) throw error;
      throw new DeferredError(() => finishWithdrawal(run), { cause: error });
    }
    run.logger.info({}, 'withdrawn');
  };
  return {
    finishWithdrawal,
    withdraw: async ({ run }, { message, holder }) => {
      run.logger.warn({ holder }, 'another run of this account claimed the thread first; this one withdraws');
      const statistics = await readRunStatistics(run);
      const details = { withdrawn_for: holder };
      await run.journal.finish({ status: 'stopped', reason: message, finalText: null, statistics, details });
      await finishWithdrawal(run);
    },
  };
}
