import type { TokenUsage } from '@agent/runner';
import type { TextWorker } from '@agent/text/worker';
import type { ObserveBoard } from '../board/board-event.ts';
import { createTextCleaner, type TextGuard } from '../inbox/text-guard.ts';
import { isOwnComment } from '../inbox/trust.ts';
import type { HeldByProcess } from '../run/activate.ts';
import type { RunEnding } from '../run/run-ending.ts';
import { listWholeThread } from '../run/run-thread.ts';
import type { SummarizeRun } from './summarize-run.ts';

/** A run's end waits no longer for its summary: people are waiting for the end. */
const longestWaitMs = 120_000;

export interface FinalSummaryServices {
  readonly summarizeRun: SummarizeRun;
  /** Tells whether a later run could inherit from one that ended like this: then a summary of it is worth its cost. */
  readonly isInheritable: (status: string) => boolean;
  readonly textWorker: TextWorker;
  readonly stepTimeoutMs: number;
  readonly observe: ObserveBoard;
  readonly shutdown: AbortSignal;
}

/** A run that this process holds, as far as its summary goes. */
export type SummarizedHolding = Pick<HeldByProcess, 'run' | 'finalSummary'>;

/** Answers what was spent on it, by every process that asked. Never rejects. */
export type EnsureFinalSummary = (
  held: SummarizedHolding,
  ending: Pick<RunEnding, 'outcome' | 'guard'>,
) => Promise<readonly TokenUsage[]>;

/**
 * Creates what leaves a final summary for later runs, before the run's end is committed; one that an earlier process left is not
 * asked for again. Without one the run ends all the same: before the next run of the thread it is asked for again.
 */
export function createEnsureFinalSummary(services: FinalSummaryServices): EnsureFinalSummary {
  const { isInheritable, observe, shutdown } = services;
  return async ({ run, finalSummary }, { outcome, guard }) => {
    const { uuid, logger } = run;
    const spent: TokenUsage[] = [];
    try {
      if (!isInheritable(outcome.status)) return spent;
      const state = await finalSummary.read();
      if (state === null) return spent;
      spent.push(...state.usages);
      if (state.isUpToDate || shutdown.aborted) return spent;
      const step = outcome.statistics.modelCalls + spent.length + 1;
      observe({ type: 'run-event', uuid, event: { type: 'step-start', step } });
      const usage = (await summarize(services, { run, finalSummary }, guard))?.usage ?? null;
      if (usage === null) return spent;
      spent.push(usage);
      const answer = { type: 'model-answer', step, text: '', tools: [], usage } as const;
      observe({ type: 'run-event', uuid, event: answer });
    } catch (error) {
      logger.warn(
        { err: error },
        'no final summary could be kept; it is asked for again before the next run',
      );
    }
    return spent;
  };
}

async function summarize(
  { summarizeRun, textWorker, stepTimeoutMs, shutdown: signal }: FinalSummaryServices,
  { run, finalSummary }: SummarizedHolding,
  guard: TextGuard | null,
) {
  const { journal, facts, startedAt, thread, logger } = run;
  const ownAccount = await thread.platform.platform.identity.whoAmI({ signal });
  const listing = await listWholeThread(thread, { signal });
  return summarizeRun(
    { journal, finalSummary, locale: facts.locale, logger },
    {
      listed: listing.comments,
      toldUntil: startedAt,
      isOwn: (comment) => isOwnComment(comment, ownAccount),
      guard: guard ?? {
        clean: createTextCleaner({ textWorker, logger }),
        authorityOf: async () => 'untrusted',
      },
      timeoutMs: Math.min(longestWaitMs, stepTimeoutMs),
    },
  );
}
