import { type FinishBarrier, passCheckpoint, passFinishBarrier } from './checkpoint.ts';
import { Conversation } from './conversation.ts';
import {
  describeLimit,
  type RunEnding,
  toCompleted,
  toDeferred,
  toEnding,
  toFailed,
  toInterrupted,
} from './ending.ts';
import { findExceededLimit } from './find-exceeded-limit.ts';
import { fitStart } from './fit-tool-output.ts';
import { JournalFailure, journaled } from './journal-failure.ts';
import { answerInterruptedCalls, sleepUnless, writeOpening } from './open-loop.ts';
import { formatRepetitionQuestion } from './repeated-calls.ts';
import { readEntries, replayJournal } from './replay-journal.ts';
import { createRun, isShutDown, type Run } from './run.ts';
import type { RunResult, RunTaskOptions } from './run-options.ts';
import { checkRunOptions } from './run-options.ts';
import { runToolCalls } from './run-tool-calls.ts';
import { type StepAnswer, takeStep, type UnusableKind } from './take-step.ts';
import { Tally } from './tally.ts';
import { runTexts } from './texts.ts';
import { findLastTurn, isWrappingUp, tellNearLimits, wrapUp } from './wrap-up.ts';

/**
 * Runs one task from the first message to the final answer, one model step at a time, with a checkpoint between
 * the steps. Called again with the same journal it goes on where it was left, by a shutdown or a crash.
 *
 * It ends a run but does not commit the end: the caller delivers the results first, then calls `journal.finish`.
 * @throws what `openConversation` rejects with, and a `TypeError` that names an option which is missing: nothing has
 *   happened then
 *
 * @example
 * const result = await runTask({ model, tools: { count }, journal: createMemoryRunJournal(), openConversation });
 * if (result.kind === 'ended') console.log(result.outcome.status);
 */
export async function runTask(options: RunTaskOptions): Promise<RunResult> {
  checkRunOptions(options);
  const tally = new Tally(options.now ?? Date.now);
  try {
    const run = await openRun(options, tally);
    for (;;) {
      // What comes next is read from the conversation, so that going on after a crash is no case of its own.
      const isDone = run.conversation.endsWithAnswer && !isWrappingUp(run);
      const ending = isDone ? await finish(run) : await iterate(run);
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
  const lastTurn = findLastTurn(run);
  if (lastTurn !== null) return wrapUp(run, lastTurn);
  const admitted = await admit(run);
  if (admitted !== 'go') return admitted === 'wait' ? null : toDeferred(run, run.settings.texts.modelAway);
  await tellNearLimits(run);
  await askAboutRepetition(run);
  const answer = await takeStep(run);
  if (answer.kind !== 'failed' && answer.kind !== 'aborted') run.settings.availability?.afterAnswer();
  switch (answer.kind) {
    case 'calls':
      return runToolCalls(run, answer);
    case 'final':
      return null;
    case 'failed':
      return deferOrFail(run, answer);
    case 'aborted':
      return toInterrupted(run);
    case 'unusable':
      return askAgain(run, answer);
  }
}

/** Waiting for the model is no time of the run's own. */
async function admit(run: Run): Promise<'go' | 'wait' | 'later'> {
  const { availability, signal, hardSignal } = run.settings;
  if (!availability) return 'go';
  const signals = [signal, hardSignal].filter((one) => one !== undefined);
  const startedAt = run.settings.now();
  const admitted = await availability.admit(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) });
  if (admitted === 'wait') run.tally.addRest(run.settings.now() - startedAt);
  return admitted;
}

/** Defers a failure that is no fault of the request, which leaves the run as it is: the same step is taken again, here or by who calls next. */
function deferOrFail(
  run: Run,
  { failure, reason }: Extract<StepAnswer, { kind: 'failed' }>,
): RunEnding | null {
  if (failure.remedy === 'none') return toFailed(run, reason);
  const { availability } = run.settings;
  if (!availability) return toDeferred(run, reason);
  if (availability.afterFailure(failure) === 'wait') return null;
  return toFailed(run, failure.kind === 'timeout' ? reason : `${reason} ${run.settings.texts.answersOthers}`);
}

async function askAboutRepetition({ conversation, settings }: Run): Promise<void> {
  const { kind, call } = conversation.repeats.judge(settings.maxSameCalls);
  if (kind === 'ask') await conversation.append({ role: 'user', content: formatRepetitionQuestion(call) });
}

async function finish(run: Run): Promise<RunEnding | null> {
  const verdict = await passFinishBarrier({
    pass: ({ poll }) => passCheckpoint(run, { name: 'before_finish', poll }),
    wait: waitUnlessShutDown(run),
    counted: run.barrier,
    logger: run.settings.logger,
  });
  return verdict === 'go' ? toCompleted(run) : toEnding(run, verdict);
}

const askedAgain: Readonly<Record<UnusableKind, string>> = {
  empty: 'Your last answer had nothing in it. Call a tool to go on, or say in words what the outcome is.',
  'cut-off':
    'Your last answer was cut off at its maximum length and is lost. Answer again, more briefly, or go on in smaller steps.',
  'call-in-words':
    'Your last answer held a tool call written as text, which calls nothing, and is lost. Make the call as a real tool call, or say in words what the outcome is.',
  filtered:
    'Your last answer was withheld by the content filter of the endpoint and is lost. Answer again in other words.',
  'too-long':
    'Your last answer was far too long and is lost. Answer again, much more briefly, or go on in smaller steps.',
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
    return toFailed(run, run.settings.texts.unusableAnswer[why]);
  }
  await run.conversation.append({ role: 'user', content: askedAgain[why] }, { usage });
  return null;
}

/** Time and tokens leave nothing for a last turn. */
function toLimitReached(run: Run): RunEnding | null {
  const { maxDurationMs, maxTokens } = run.settings.limits;
  const limit = findExceededLimit(run.tally.statistics(), { maxDurationMs, maxTokens });
  return limit === null ? null : toFailed(run, describeLimit(run, limit));
}

function toJournalFailed(
  { cause }: JournalFailure,
  { options, tally }: { readonly options: RunTaskOptions; readonly tally: Tally },
): RunResult {
  const { hideKnownSecrets = (text: string) => text, locale = 'en', logger } = options;
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

/** Takes a run up where its journal ends, or opens its conversation. */
async function openRun(options: RunTaskOptions, tally: Tally): Promise<Run> {
  const { journal, hideKnownSecrets = (text: string) => text } = options;
  const replayed = replayJournal(await journaled(readEntries(journal)));
  const conversation = new Conversation({ journal, tally, hideKnownSecrets }, replayed);
  const run = createRun(options, { conversation, tally });
  run.emit({ type: 'run-start', resumed: replayed !== null });
  if (replayed !== null) await answerInterruptedCalls(conversation);
  else if (!isShutDown(run)) {
    const opened = await options.openConversation({ signal: options.hardSignal });
    await writeOpening(opened, { conversation, tally });
  }
  return run;
}

function waitUnlessShutDown({ settings }: Run): FinishBarrier['wait'] {
  const signals = [settings.signal, settings.hardSignal].filter((signal) => signal !== undefined);
  return sleepUnless(AbortSignal.any(signals), settings.sleep);
}
