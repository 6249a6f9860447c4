import type { TokenUsage } from '@agent/runner';
import { createTextCleaner } from '../inbox/create-text-cleaner.ts';
import type { TextGuard } from '../inbox/create-text-guard.ts';
import { isOwnComment } from '../inbox/is-own-comment.ts';
import { listWholeThread } from '../run/list-whole-thread.ts';
import type { ActiveRun, RunParts } from '../run/run.ts';
import type { RunEnding } from '../run/run-ending.ts';
import { isInheritable } from './is-inheritable.ts';

/** A run's end waits no longer for its summary: people are waiting for the end. */
const longestWaitMs = 120_000;

/**
 * Leaves a final summary for later runs, before the run's end is committed; one that an earlier process left is not
 * asked for again. Without one the run ends all the same: before the next run of the thread it is asked for again.
 * Never rejects.
 *
 * @returns what was spent on it, by every process that asked
 */
export async function ensureFinalSummary(
  parts: RunParts,
  run: ActiveRun,
  ending: RunEnding,
): Promise<readonly TokenUsage[]> {
  const spent: TokenUsage[] = [];
  try {
    if (!isInheritable(ending.outcome.status, parts.config.context_inheritance)) return spent;
    const state = await run.finalSummary.read();
    if (state === null) return spent;
    spent.push(...state.usages);
    if (state.isUpToDate || parts.shutdown.aborted) return spent;
    const step = ending.outcome.statistics.modelCalls + spent.length + 1;
    parts.observe({ type: 'run-event', uuid: run.uuid, event: { type: 'step-start', step } });
    const usage = (await summarize(parts, run, ending.guard))?.usage ?? null;
    if (usage === null) return spent;
    spent.push(usage);
    const answer = { type: 'model-answer', step, text: '', tools: [], usage } as const;
    parts.observe({ type: 'run-event', uuid: run.uuid, event: answer });
  } catch (error) {
    run.logger.warn(
      { err: error },
      'no final summary could be kept; it is asked for again before the next run',
    );
  }
  return spent;
}

async function summarize(parts: RunParts, run: ActiveRun, guard: TextGuard | null) {
  const { identity } = run.platform.platform;
  const ownAccount = await identity.whoAmI({ signal: parts.shutdown });
  const listing = await listWholeThread(run, { signal: parts.shutdown });
  // Loaded at the end of a run alone: it brings all that inherits.
  const { summarizeRun } = await import('./summarize-run.ts');
  return summarizeRun(parts, {
    journal: run.journal,
    finalSummary: run.finalSummary,
    locale: run.facts.locale,
    listed: listing.comments,
    toldUntil: run.startedAt,
    isOwn: (comment) => isOwnComment(comment, ownAccount),
    guard: guard ?? {
      clean: createTextCleaner({ ...parts, logger: run.logger }),
      authorityOf: async () => 'untrusted',
    },
    timeoutMs: Math.min(longestWaitMs, parts.config.llm.step_timeout_seconds * 1_000),
    logger: run.logger,
  });
}
