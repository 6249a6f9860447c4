import type { ThreadReference } from '@agent/context-inheritance';
import type { Account, Comment } from '@agent/platforms';
import type { EndedRun } from '@agent/run-store';
import type { Locale } from '@agent/text';
import type { ModelMessage } from 'ai';
import { createTextCleaner } from '../inbox/create-text-cleaner.ts';
import type { IsTrusted } from '../inbox/create-trust.ts';
import { isOwnComment } from '../inbox/is-own-comment.ts';
import type { RunLogger } from '../ports.ts';
import type { RunParts } from '../run/run.ts';
import { type SummaryParts, summarizeRun } from './summarize-run.ts';

/** The thread whose earlier runs are about to be taken over from. */
export interface EarlierSummariesSubject {
  readonly thread: ThreadReference;
  readonly comments: readonly Comment[];
  readonly ownAccount: Account;
  readonly isTrusted: IsTrusted;
  readonly locale: Locale;
  readonly logger: RunLogger;
}

/**
 * Asks for the final summaries that earlier runs of a thread ended without, because the model could not be had then,
 * or the process was ended. After the first that fails again the rest is left. Never rejects.
 */
export async function summarizeEarlierRuns(
  parts: SummaryParts & Pick<RunParts, 'earlierRuns' | 'store'>,
  subject: EarlierSummariesSubject,
): Promise<void> {
  const { earlierRuns, store } = parts;
  const { thread, logger } = subject;
  try {
    for (const uuid of (await earlierRuns?.listInheritable(thread)) ?? []) {
      const run = await store.openEnded(uuid);
      const state = await run.finalSummary.read();
      if (state === null || state.isThere) continue;
      logger.info({ run: uuid.slice(0, 8) }, 'an earlier run has no final summary; asking for it');
      const summarized = await summarize(parts, { run, subject });
      if (summarized === null || !summarized.isKept) return;
    }
  } catch (error) {
    logger.warn({ err: error }, 'the final summary of an earlier run could not be made up for');
  }
}

async function summarize(
  parts: SummaryParts,
  { run, subject }: { readonly run: EndedRun<ModelMessage>; readonly subject: EarlierSummariesSubject },
) {
  const { ownAccount, isTrusted, locale, logger } = subject;
  return summarizeRun(parts, {
    journal: run.journal,
    finalSummary: run.finalSummary,
    locale,
    listed: subject.comments,
    toldUntil: run.metadata.createdAt,
    isOwn: (comment) => isOwnComment(comment, ownAccount),
    guard: {
      clean: createTextCleaner({ ...parts, logger }),
      authorityOf: async (account) => ((await isTrusted(account)) ? 'trusted' : 'untrusted'),
    },
    timeoutMs: parts.config.llm.step_timeout_seconds * 1_000,
    logger,
  });
}
