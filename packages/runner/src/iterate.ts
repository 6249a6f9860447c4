import { firstSentence, fitStart } from '@agent/text';
import { type FinishBarrier, passCheckpoint, passFinishBarrier } from './checkpoint.ts';
import {
  describeLimit,
  type FailureCause,
  findExceededLimit,
  type RunEnding,
  toCompleted,
  toDeferred,
  toEnding,
  toFailed,
  toInterrupted,
  toModelErrorClass,
  toOverBudget,
} from './ending.ts';
import { formatRepetitionQuestion } from './fruitless-calls.ts';
import { formatLostAnswer, listTextCallRequests, type UnusableKind } from './lost-answer.ts';
import { sleepUnless } from './open-loop.ts';
import type { Run } from './run.ts';
import { answerUnmade, runToolCalls } from './run-tool-calls.ts';
import { type StepAnswer, takeStep } from './take-step.ts';

/** One turn of whoever carries a run, the checkpoint before it passed. Null when the run goes on. */
export type TakeTurn = (run: Run) => Promise<RunEnding | null>;

export async function iterate(run: Run, take: TakeTurn): Promise<RunEnding | null> {
  const { verdict } = await passCheckpoint(run, { name: 'before_iteration' });
  return toEnding(run, verdict) ?? take(run);
}

interface TurnOptions {
  /** Tells what becomes of a second answer in a row that is of no use: it ends the run, or who takes the turn judges it. Default `ends`. */
  readonly secondLost?: 'ends' | 'judged';
}

/** One turn, the checkpoint before it passed: limits, the model's answer, the calls that it makes. */
export async function takeTurn(
  run: Run,
  { secondLost = 'ends' }: TurnOptions = {},
): Promise<RunEnding | null> {
  const ending = toLimitReached(run);
  if (ending !== null) return ending;
  const lastTurn = findLastTurn(run);
  if (lastTurn !== null) return wrapUp(run, lastTurn);
  const admitted = await admit(run);
  if (admitted !== 'go') return admitted === 'wait' ? null : toDeferred(run, readAwayReason(run));
  await tellNearLimits(run);
  await askAboutRepetition(run);
  const answer = await takeStep(run);
  if (answer.kind !== 'failed' && answer.kind !== 'aborted') run.requests.availability.afterAnswer();
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
      return askAgain(run, { ...answer, isEnd: isPastCorrection(run, { ...answer, secondLost }) });
  }
}

/** Waiting for the model is no time of the run's own. */
async function admit(run: Run): Promise<'go' | 'wait' | 'later'> {
  const { availability } = run.requests;
  const { signal, hardSignal } = run.steering;
  const signals = [signal, hardSignal].filter((one) => one !== undefined);
  const startedAt = run.settings.now();
  const admitted = await availability.admit(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) });
  if (admitted === 'wait') run.tally.addRest(run.settings.now() - startedAt);
  return admitted;
}

/** Why the model is not waited for any longer: what it failed of last, as far as that is known. */
function readAwayReason({ requests: { lastFailure }, settings: { texts } }: Run): string {
  return lastFailure.reason === null ? texts.modelAway : `${texts.modelAway} ${lastFailure.reason}`;
}

/** Leaves the run as it is after a failure that does not prove that the request is invalid: the same step is taken again. */
function deferOrFail(
  run: Run,
  { failure, reason }: Extract<StepAnswer, { kind: 'failed' }>,
): RunEnding | null {
  if (failure.kind === 'over-budget') return toOverBudget(run, reason);
  const errorClass = toModelErrorClass(failure);
  if (failure.remedy === 'none') return toFailed(run, { errorClass, reason });
  const { availability, lastFailure } = run.requests;
  lastFailure.reason = reason;
  if (availability.afterFailure(failure) === 'wait') return null;
  const shown = failure.kind === 'timeout' ? reason : `${reason} ${run.settings.texts.answersOthers}`;
  return toFailed(run, { errorClass, reason: shown });
}

/** Asks about a call that is made again and again, once for each row of them. */
export async function askAboutRepetition({ conversation, limits }: Run): Promise<void> {
  const { kind, call } = conversation.repeats.judge(limits.maxSameCalls);
  if (kind === 'ask') await conversation.append({ role: 'user', content: formatRepetitionQuestion(call) });
}

export async function finish(run: Run): Promise<RunEnding | null> {
  const verdict = await passFinishBarrier({
    pass: ({ poll }) => passCheckpoint(run, { name: 'before_finish', poll }),
    wait: waitUnlessShutDown(run),
    counted: run.barrier,
    logger: run.settings.logger,
  });
  return verdict === 'go' ? toCompleted(run) : toEnding(run, verdict);
}

/** Calls in a row that an endpoint cannot parse until the run ends: some models write one in four so. */
const maxUnparsedCalls = 4;

/** Tells whether the answers before this one were of no use as well, so that asking again is no help. */
function wasLost({ conversation: { last, messages } }: Run, why: UnusableKind): boolean {
  if (last?.answers !== true || last.message.role !== 'user') return false;
  if (why !== 'unparsed-call') return true;
  const request = formatLostAnswer(why);
  return (
    messages.slice(-maxUnparsedCalls).filter(({ content }) => content === request).length >= maxUnparsedCalls
  );
}

/** Corrections of a run whose model writes calls as text. */
const maxTextCalls = 2;

/** Tells whether a run ends with an answer that is of no use. Calls written as text are counted over the whole run, as its journal has them. */
function isPastCorrection(
  run: Run,
  { why, secondLost }: Pick<Extract<StepAnswer, { kind: 'unusable' }>, 'why'> & Required<TurnOptions>,
): boolean {
  const corrections = listTextCallRequests(why);
  if (corrections === null) return secondLost === 'ends' && wasLost(run, why);
  const corrected = run.conversation.said.filter(
    ({ answers, message: { content } }) =>
      answers && typeof content === 'string' && corrections.includes(content),
  );
  return corrected.length >= maxTextCalls;
}

/** An answer that is of no use is met with one question. */
async function askAgain(
  run: Run,
  { why, usage, refusal, isEnd }: Extract<StepAnswer, { kind: 'unusable' }> & { readonly isEnd: boolean },
): Promise<RunEnding | null> {
  if (isEnd) {
    run.conversation.spend(usage);
    const { unusableAnswer, refusedToAnswer } = run.settings.texts;
    const said = refusal ?? null;
    return said === null
      ? toFailed(run, { errorClass: 'model_unreadable', reason: unusableAnswer[why] })
      : toFailed(run, { errorClass: 'model_refused', reason: refusedToAnswer(said) });
  }
  await run.conversation.append({ role: 'user', content: formatLostAnswer(why) }, { usage });
  return null;
}

/** Asks again about an answer that is of no use; where the one before it was of none either, the run ends. */
export function askAgainOnce(
  run: Run,
  { why, usage }: Pick<Extract<StepAnswer, { kind: 'unusable' }>, 'why' | 'usage'>,
): Promise<RunEnding | null> {
  return askAgain(run, { kind: 'unusable', why, usage, isEnd: wasLost(run, why) });
}

/** Time and tokens leave nothing for a last turn. */
function toLimitReached(run: Run): RunEnding | null {
  const { maxDurationMs, maxTokens } = run.limits;
  const limit = findExceededLimit(run.tally.statistics(), { maxDurationMs, maxTokens });
  return limit === null ? null : toFailed(run, describeLimit(run, limit));
}

function waitUnlessShutDown({ steering, settings }: Run): FinishBarrier['wait'] {
  const signals = [steering.signal, steering.hardSignal].filter((signal) => signal !== undefined);
  return sleepUnless(AbortSignal.any(signals), settings.sleep);
}

/** Asks for last words. */
export const lastTurnNotice =
  'A limit of this run is reached, and this is its last turn: no tool can be called any more. Say in a few sentences what is done, what is not, and what anyone who continues has to know. What you changed is kept.';

/** From which share of a limit the model is told that it nears it, and the steps that are too few to be told of. */
const nearShare = 0.8;

const fewestSteps = 5;

/** Why the model is to be asked one last time, without tools; null while the run goes on. */
export function findLastTurn(run: Run): FailureCause | null {
  const { maxSteps } = run.limits;
  const limit = findExceededLimit(run.tally.statistics(), { maxSteps });
  return limit === null ? findFruitlessCalls(run) : describeLimit(run, limit);
}

/** Why the calls of tools lead nowhere; null while they may. */
export function findFruitlessCalls(run: Run): FailureCause | null {
  const { maxToolFailures } = run.limits;
  const { failures, repeats } = run.conversation;
  const failing = maxToolFailures === null ? null : failures.findExhausted(maxToolFailures);
  if (failing !== null) {
    const name = run.limits.names?.maxToolFailures ?? 'maxToolFailures';
    const lastError = fitStart(firstSentence(failing.lastError), 500);
    const reason = run.settings.texts.toolFailed({ ...failing, name, lastError });
    return { errorClass: 'tool_failed', reason };
  }
  const { kind, call } = repeats.judge(run.limits.maxSameCalls);
  if (kind !== 'end') return null;
  return { errorClass: 'repeated_call', reason: run.settings.texts.sameCall(call) };
}

/** Tells whether the model has been told that this is its last turn. */
export function isWrappingUp(run: Run): boolean {
  return run.conversation.wasTold(lastTurnNotice) && findLastTurn(run) !== null;
}

/** Lets the model say where it stands, in one answer beyond the limit; the run has failed, whatever it says. */
async function wrapUp(run: Run, cause: FailureCause): Promise<RunEnding> {
  const { conversation } = run;
  if (!conversation.wasTold(lastTurnNotice)) {
    await conversation.append({ role: 'user', content: lastTurnNotice });
  }
  if (conversation.endsWithAnswer) return toFailed(run, cause);
  const answer = await takeStep(run, { isLast: true });
  if (answer.kind === 'aborted') return toInterrupted(run);
  if (answer.kind === 'calls') await answerUnmade(run, answer.calls);
  if (answer.kind === 'unusable') conversation.spend(answer.usage);
  return toFailed(run, cause);
}

async function readMoney({ limits: { gauge }, steering, settings }: Run) {
  if (gauge === null) return null;
  return gauge.read({ signal: steering.hardSignal }).catch((err: unknown) => {
    settings.logger?.warn({ err }, 'failed to read spending; retrying before next step');
    return null;
  });
}

/** Tells the model, once for each limit, that most of it is used up. `steps`: name of what `maxSteps` counts. */
export async function tellNearLimits(run: Run, { steps = 'model calls' } = {}): Promise<void> {
  const { modelCalls, durationMs, inputTokens, outputTokens } = run.tally.statistics();
  const { maxSteps, maxDurationMs, maxTokens } = run.limits;
  const money = await readMoney(run);
  const uses = [
    { what: steps, used: modelCalls, limit: (maxSteps ?? 0) < fewestSteps ? null : maxSteps },
    { what: 'time', used: durationMs, limit: maxDurationMs },
    { what: 'tokens', used: inputTokens + outputTokens, limit: maxTokens },
    ...(money === null ? [] : [{ what: 'money', used: money.spent, limit: money.limit }]),
  ];
  for (const { what, used, limit } of uses) {
    const notice = `Four fifths of the ${what} that this run may take are used up. Finish what matters most, check it, and bring the task to its end.`;
    if (limit === null || used < limit * nearShare || run.conversation.wasTold(notice)) continue;
    await run.conversation.append({ role: 'user', content: notice });
  }
}
