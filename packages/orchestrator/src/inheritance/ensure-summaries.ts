import type { InheritedDecision } from '@agent/context-inheritance';
import type { ThreadReference } from '@agent/platforms';
import { type Account, type Comment, formatTaskKey, type Thread } from '@agent/platforms';
import {
  ContextStoreError,
  type EndedRun,
  type IndexStatus,
  type OpenRun,
  type RestingRuns,
  toIndexStatus,
} from '@agent/run-store';
import type { TokenUsage } from '@agent/runner';
import type { Locale } from '@agent/text';
import type { TextWorker } from '@agent/text/worker';
import type { ModelMessage } from 'ai';
import type { ObserveBoard } from '../board/board-event.ts';
import type { RunLogger } from '../host/ports.ts';
import type { EarlierRuns } from '../past/earlier-runs.ts';
import { findLeastTrusted, findTextAuthors, type ReadTextAuthors } from '../past/find-text-author.ts';
import type { Run } from '../run/run.ts';
import type { RunEnding } from '../run/run-ending.ts';
import { parseFactsJson } from '../run/run-facts.ts';
import { listWholeThread } from '../run/run-thread.ts';
import { toPayer, toPayerOf } from '../spending/payer.ts';
import { createTextCleaner } from '../thread/text-guard.ts';
import { type IsTrusted, isOwnComment, isOwnThread } from '../thread/trust.ts';
import { type InheritanceOfRun, toPresent } from './inheritance-of-run.ts';
import type { SummarizeRun } from './summarize-run.ts';

/** A run's end waits no longer for its summary: people are waiting for the end. */
const longestWaitMs = 120_000;

/** The same for a run that was stopped, whose model may not answer: without its summary, the next run asks for it again. */
const stoppedWaitMs = 15_000;

export interface FinalSummaryServices {
  readonly summarizeRun: SummarizeRun;
  /** Tells whether a later run could inherit from one that ended like this: then a summary of it is worth its cost. */
  readonly isInheritable: (status: IndexStatus) => boolean;
  readonly inheritance: Pick<InheritanceOfRun, 'restore' | 'postConflicts'>;
  readonly textWorker: TextWorker;
  readonly stepTimeoutMs: number;
  readonly observe: ObserveBoard;
  readonly shutdown: AbortSignal;
}

/** A run that this process holds, as far as its summary goes. */
export interface SummarizedHolding extends Pick<OpenRun<ModelMessage>, 'finalSummary'> {
  readonly run: Run;
}

/** Answers what was spent on it, by every process that asked. Never rejects. */
export type EnsureFinalSummary = (
  held: SummarizedHolding,
  ending: Pick<RunEnding, 'outcome' | 'guard' | 'readFile'>,
) => Promise<readonly TokenUsage[]>;

/**
 * Creates what leaves a final summary for later runs, before the run's end is committed; one that an earlier process left is not
 * asked for again. Without one the run ends all the same: before the next run of the thread it is asked for again.
 */
export function createEnsureFinalSummary(services: FinalSummaryServices): EnsureFinalSummary {
  const { isInheritable, observe, shutdown } = services;
  return async ({ run, finalSummary }, { outcome, ...ending }) => {
    const { uuid, logger } = run;
    const spent: TokenUsage[] = [];
    try {
      const status = toIndexStatus(outcome.status);
      if (status === null || !isInheritable(status)) return spent;
      const state = await finalSummary.read();
      if (state === null) return spent;
      spent.push(...state.usages);
      if (state.isUpToDate || shutdown.aborted) return spent;
      const step = outcome.statistics.modelCalls + spent.length + 1;
      observe({ type: 'run-event', uuid, event: { type: 'step-start', step } });
      const summarized = await summarize(
        services,
        { run, finalSummary },
        {
          ...ending,
          longestMs: outcome.status === 'stopped' ? stoppedWaitMs : longestWaitMs,
        },
      );
      if (summarized === null) return spent;
      const { usage, conflicts } = summarized;
      spent.push(usage);
      await services.inheritance.postConflicts(run, conflicts);
      const answer = { type: 'model-answer', step, text: '', tools: [], usage } as const;
      observe({ type: 'run-event', uuid, event: answer });
    } catch (error) {
      logger.warn({ err: error }, 'failed to save final summary; retrying before next run');
    }
    return spent;
  };
}

async function summarize(
  { summarizeRun, inheritance, textWorker, stepTimeoutMs, shutdown: signal }: FinalSummaryServices,
  { run, finalSummary }: SummarizedHolding,
  { guard, readFile, longestMs }: Pick<RunEnding, 'guard' | 'readFile'> & { readonly longestMs: number },
) {
  const { uuid, journal, facts, thread, logger } = run;
  const ownAccount = await thread.platform.platform.identity.whoAmI({ signal });
  const listing = await listWholeThread(thread, { signal });
  const present = toPresent(run, { listing, thread: await thread.ports.reader.readThread({ signal }) });
  const { issue } = present;
  const inherited = await inheritance.restore(run, present);
  const authors = issue === null ? [] : await findTextAuthors(thread.ports, issue, { signal });
  const isTrusted = async (account: Account | null) =>
    (await guard?.authorityOf(account, { signal })) === 'trusted';
  const textAuthor = await findLeastTrusted(authors, isTrusted);
  return summarizeRun(
    { uuid, journal, finalSummary, payer: toPayer(run), locale: facts.locale, logger },
    {
      thread: issue === null || isOwnThread(issue, ownAccount) ? null : { ...issue, author: textAuthor },
      otherThread: run.facts.belongsTo === null ? null : formatTaskKey(thread.ports.key),
      inherited: inherited?.decisions ?? [],
      readFile,
      listed: listing.comments,
      isOwn: (comment) => isOwnComment(comment, ownAccount),
      guard: guard ?? {
        clean: createTextCleaner({ textWorker, logger }),
        authorityOf: async () => 'untrusted',
      },
      timeoutMs: Math.min(longestMs, stepTimeoutMs),
    },
  );
}

/** The thread whose earlier runs are about to be taken over from. */
export interface EarlierSummariesSubject {
  readonly thread: ThreadReference;
  readonly issue: Thread;
  readonly readTextAuthors: ReadTextAuthors;
  readonly comments: readonly Comment[];
  /** Lists the decisions that are inherited on this thread. */
  readonly listInherited: () => Promise<readonly InheritedDecision[]>;
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
      const run = await openPutAway(store, uuid);
      if (run === null) continue;
      const state = await run.finalSummary.read();
      if (state === null || state.isThere) continue;
      logger.info({ run: uuid }, 'requesting final summary of earlier run');
      const summarized = await summarizeEarlier(options, { run, subject });
      if (summarized === null || !summarized.isKept) return;
    }
  } catch (error) {
    logger.warn({ err: error }, 'failed to request final summary of earlier run');
  }
}

/** Null for one of which something is open: whoever has it open writes its record. */
async function openPutAway(
  store: Pick<RestingRuns<ModelMessage>, 'openEnded'>,
  uuid: string,
): Promise<EndedRun<ModelMessage> | null> {
  return store.openEnded(uuid).catch((error: unknown) => {
    if (ContextStoreError.isInstance(error) && error.code === 'invalid') return null;
    throw error;
  });
}

async function summarizeEarlier(
  { summarizeRun, textWorker, timeoutMs }: SummarizeEarlierRunsOptions,
  { run, subject }: { readonly run: EndedRun<ModelMessage>; readonly subject: EarlierSummariesSubject },
) {
  const { issue, ownAccount, isTrusted, locale, logger } = subject;
  const { journal, finalSummary, metadata } = run;
  const facts = parseFactsJson(metadata.extra);
  const payer = toPayerOf({ uuid: metadata.uuid, facts, thread: metadata });
  const inherited = metadata.inheritedFromUuid === null ? [] : await subject.listInherited();
  const began = Date.parse(metadata.createdAt);
  return summarizeRun(
    { uuid: metadata.uuid, journal, finalSummary, payer, locale, logger },
    {
      thread: isOwnThread(issue, ownAccount)
        ? null
        : { ...issue, author: await findLeastTrusted(await subject.readTextAuthors(), isTrusted) },
      otherThread: facts.belongsTo === null ? null : metadata.taskKeyText,
      // A later run may have decided since: this one did not know of it.
      inherited: inherited.filter(({ decidedAt }) => !(Date.parse(decidedAt) > began)),
      readFile: null,
      listed: subject.comments,
      isOwn: (comment) => isOwnComment(comment, ownAccount),
      guard: {
        clean: createTextCleaner({ textWorker, logger }),
        authorityOf: async (account) => ((await isTrusted(account)) ? 'trusted' : 'untrusted'),
      },
      timeoutMs,
    },
  );
}
