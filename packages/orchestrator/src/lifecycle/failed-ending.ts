import type { RunResult } from '@agent/runner';
import { toErrorMessage } from '@agent/text';
import { nothingDelivered } from '../delivery/push-work.ts';
import { noComments, readHeardComments } from '../inbox/delivered-comments.ts';
import type { RunInbox } from '../inbox/run-inbox.ts';
import { toErrorClass } from '../outcome/error-class.ts';
import { type AttemptedEnding, type RunOnDisk, readRunStatistics } from '../run/run-ending.ts';

export interface FailedWork {
  readonly redactOutgoing: (text: string) => string;
  readonly run: RunOnDisk;
  /** Null when it failed before anything was heard. */
  readonly runInbox: Pick<RunInbox, 'summarize' | 'guard'> | null;
  /** End of the conversation before the failure; null before it. */
  readonly result: RunResult | null;
}

/**
 * Turns what went wrong around a run into its ending: the error's own message says what to do about it, and secrets that it
 * repeats are taken out.
 */
export async function toFailedEnding(error: unknown, work: FailedWork): Promise<AttemptedEnding> {
  const { redactOutgoing, run, runInbox, result } = work;
  const outcome = result?.kind === 'ended' ? result.outcome : null;
  return {
    outcome: {
      status: 'failed',
      reason: redactOutgoing(toErrorMessage(error)),
      errorClass: toErrorClass(error),
      error,
      finalText: outcome?.finalText ?? null,
      statistics: outcome?.statistics ?? (await readRunStatistics(run)),
    },
    delivery: nothingDelivered,
    hearing: (await runInbox?.summarize()) ?? { ...noComments, comments: await readHeardComments(run) },
    guard: runInbox?.guard ?? null,
    readFile: null,
  };
}
