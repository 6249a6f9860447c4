import type { ThreadReference } from '@agent/context-inheritance';
import type { Account, Comment } from '@agent/platforms';
import type { EndedRun, RestingRuns } from '@agent/run-store';
import type { Locale } from '@agent/text';
import type { TextWorker } from '@agent/text/worker';
import type { ModelMessage } from 'ai';
import { createTextCleaner } from '../inbox/text-guard.ts';
import { type IsTrusted, isOwnComment } from '../inbox/trust.ts';
import type { RunLogger } from '../ports.ts';
import type { EarlierRuns } from './earlier-runs.ts';
import type { SummarizeRun } from './summarize-run.ts';

/** The thread whose earlier runs are about to be taken over from. */
export interface EarlierSummariesSubject {
  readonly thread: ThreadReference;
  readonly comments: readonly Comment[];
  readonly ownAccount: Account;
  readonly isTrusted: IsTrusted;
  readonly locale: Locale;
  readonly logger: RunLogger;
}

export interface SummarizeEarlierRunsOptions {
  readonly earlierRuns: Pick<EarlierRuns, 'listInheritable'>;
  readonly store: Pick<RestingRuns<ModelMessage>, 'openEnded'>;
  readonly summarizeRun: SummarizeRun;
  readonly textWorker: TextWorker;
  /** Milliseconds for one of them. */
  readonly timeoutMs: number;
}

/**
 * Asks for the final summaries that earlier runs of a thread ended without, because the model could not be had then,
 * or the process was ended. After the first that fails again the rest is left. Never rejects.
 */
export async function summarizeEarlierRuns(
  options: SummarizeEarlierRunsOptions,
  subject: EarlierSummariesSubject,
): Promise<void> {
  const { earlierRuns, store } = options;
  const { thread, logger } = subject;
  try {
    for (const uuid of await earlierRuns.listInheritable(thread)) {
      const run = await store.openEnded(uuid);
      const state = await run.finalSummary.read();
      if (state === null || state.isThere) continue;
      logger.info({ run: uuid.slice(0, 8) }, 'an earlier run has no final summary; asking for it');
      const summarized = await summarize(options, { run, subject });
      if (summarized === null || !summarized.isKept) return;
    }
  } catch (error) {
    logger.warn({ err: error }, 'the final summary of an earlier run could not be made up for');
  }
}

async function summarize(
  { summarizeRun, textWorker, timeoutMs }: SummarizeEarlierRunsOptions,
  { run, subject }: { readonly run: EndedRun<ModelMessage>; readonly subject: EarlierSummariesSubject },
) {
  const { ownAccount, isTrusted, locale, logger } = subject;
  const { journal, finalSummary, metadata } = run;
  return summarizeRun(
    { journal, finalSummary, locale, logger },
    {
      listed: subject.comments,
      toldUntil: metadata.createdAt,
      isOwn: (comment) => isOwnComment(comment, ownAccount),
      guard: {
        clean: createTextCleaner({ textWorker, logger }),
        authorityOf: async (account) => ((await isTrusted(account)) ? 'trusted' : 'untrusted'),
      },
      timeoutMs,
    },
  );
}
