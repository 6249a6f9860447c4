import { checkRunOptions } from './check-run-options.ts';
import { passCheckpoint } from './checkpoint.ts';
import { type RunEnding, toCompleted, toEnding, toFailed, toInterrupted } from './ending.ts';
import { findExceededLimit } from './find-exceeded-limit.ts';
import { passFinishBarrier } from './finish-barrier.ts';
import { fitStart } from './fit-tool-output.ts';
import { JournalFailure } from './journal-failure.ts';
import { openRun } from './open-run.ts';
import type { Run } from './run.ts';
import type { RunResult, RunTaskOptions } from './run-options.ts';
import { runToolCalls } from './run-tool-calls.ts';
import { type StepAnswer, takeStep } from './take-step.ts';
import { Tally } from './tally.ts';
import { runTexts } from './texts.ts';

/**
 * Runs one task from the first message to the final answer, one model step at a time, with a checkpoint between
 * the steps. Called again with the same journal it goes on where it was left, by a shutdown or a crash.
 *
 * It ends a run but does not commit the end: the caller delivers the results first, then calls `journal.finish`.
 * @throws what `openConversation` rejects with, and a `TypeError` that names an option which is missing: nothing has
 *   happened then
 */
export async function runTask(options: RunTaskOptions): Promise<RunResult> {
  checkRunOptions(options);
  const tally = new Tally(options.now ?? Date.now);
  try {
    const run = await openRun(options, tally);
    for (;;) {
      // What comes next is read from the conversation, so that going on after a crash is no case of its own.
      const ending = run.conversation.endsWithAnswer ? await finish(run) : await iterate(run);
      if (ending !== null) return ending;
    }
  } catch (error) {
    if (error instanceof JournalFailure) return toJournalFailed(error, { options, tally });
    if (options.hardSignal?.aborted) return { kind: 'interrupted', statistics: tally.statistics() };
    throw error;
  }
}

async function iterate(run: Run): Promise<RunEnding | null> {
  const { verdict } = await passCheckpoint(run, { name: 'before_iteration' });
  const ending = toEnding(run, verdict) ?? toLimitReached(run);
  if (ending !== null) return ending;
  const answer = await takeStep(run);
  switch (answer.kind) {
    case 'calls':
      return runToolCalls(run, answer.calls);
    case 'final':
      return null;
    case 'failed':
      return toFailed(run, answer.reason);
    case 'aborted':
      return toInterrupted(run);
    case 'unusable':
      return askAgain(run, answer);
  }
}

async function finish(run: Run): Promise<RunEnding | null> {
  const verdict = await passFinishBarrier(run);
  return verdict === 'go' ? toCompleted(run) : toEnding(run, verdict);
}

const askedAgain = {
  empty: 'Your last answer had nothing in it. Call a tool to go on, or say in words what the outcome is.',
  'cut-off':
    'Your last answer was cut off at its maximum length and is lost. Answer again, more briefly, or go on in smaller steps.',
};

/** An answer that is of no use is met with one question; the second in a row ends the run. */
async function askAgain(
  run: Run,
  { why, usage }: Extract<StepAnswer, { kind: 'unusable' }>,
): Promise<RunEnding | null> {
  const { last } = run.conversation;
  const askedBefore = last?.answers === true && last.message.role === 'user';
  if (askedBefore) {
    run.conversation.spend(usage);
    return toFailed(run, run.texts.unusableAnswer[why]);
  }
  await run.conversation.append({ role: 'user', content: askedAgain[why] }, { usage });
  return null;
}

function toLimitReached(run: Run): RunEnding | null {
  const limit = findExceededLimit(run.statistics(), run.limits);
  if (limit === null) return null;
  const name = run.options.limitNames?.[limit.name] ?? limit.name;
  return toFailed(run, run.texts.limitReached({ kind: limit.name, name, value: limit.value }));
}

function toJournalFailed(
  { cause }: JournalFailure,
  { options, tally }: { readonly options: RunTaskOptions; readonly tally: Tally },
): RunResult {
  const { hideKnownSecrets = (text: string) => text, locale = 'ja', logger } = options;
  logger?.error({ err: cause }, 'the journal could not be written; the run ends');
  const codes = [cause, (cause as Error | undefined)?.cause].map(
    (error) => (error as { code?: unknown })?.code,
  );
  const isFull = codes.some((code) => code === 'storage-full' || code === 'ENOSPC');
  const detail = fitStart(hideKnownSecrets(cause instanceof Error ? cause.message : String(cause)), {
    maxChars: 300,
  });
  const reason = runTexts(locale).journalFailed({ isFull, detail });
  const statistics = tally.statistics();
  return { kind: 'ended', outcome: { status: 'failed', reason, finalText: null, statistics } };
}
