import { describeLimit, type RunEnding, toFailed, toInterrupted } from './ending.ts';
import { findExceededLimit } from './find-exceeded-limit.ts';
import { fitStart } from './fit-tool-output.ts';
import type { Run } from './run.ts';
import { answerUnmade } from './run-tool-calls.ts';
import { takeStep } from './take-step.ts';

const lastTurnNotice =
  'A limit of this run is reached, and this is its last turn: no tool can be called any more. Say in a few sentences what is done, what is not, and what somebody who goes on has to know. What you changed is kept.';

/** From which share of a limit the model is told that it nears it, and the steps that are too few to be told of. */
const nearShare = 0.8;
const fewestSteps = 5;

/** Why the model is to be asked one last time, without tools; null while the run goes on. */
export function findLastTurn(run: Run): string | null {
  const { maxSteps, maxToolFailures } = run.settings.limits;
  const { failures, repeats } = run.conversation;
  const limit = findExceededLimit(run.tally.statistics(), { maxSteps });
  if (limit !== null) return describeLimit(run, limit);
  const failing = maxToolFailures === null ? null : failures.findExhausted(maxToolFailures);
  if (failing !== null) {
    const name = run.settings.limitNames?.maxToolFailures ?? 'maxToolFailures';
    const lastError = fitStart(failing.lastError, { maxChars: 500 });
    return run.settings.texts.toolFailed({ ...failing, name, lastError });
  }
  const { kind, call } = repeats.judge(run.settings.maxSameCalls);
  return kind === 'end' ? run.settings.texts.sameCall(call) : null;
}

/** Tells whether the model has been told that this is its last turn. */
export function isWrappingUp(run: Run): boolean {
  return run.conversation.wasTold(lastTurnNotice) && findLastTurn(run) !== null;
}

/** Lets the model say where it stands, in one answer beyond the limit; the run has failed, whatever it says. */
export async function wrapUp(run: Run, reason: string): Promise<RunEnding> {
  const { conversation } = run;
  if (!conversation.wasTold(lastTurnNotice)) {
    await conversation.append({ role: 'user', content: lastTurnNotice });
  }
  if (conversation.endsWithAnswer) return toFailed(run, reason);
  const answer = await takeStep(run, { isLast: true });
  if (answer.kind === 'aborted') return toInterrupted(run);
  if (answer.kind === 'calls') await answerUnmade(run, answer.calls);
  return toFailed(run, reason);
}

/** Tells the model, once for each limit, that most of it is used up. */
export async function tellNearLimits(run: Run): Promise<void> {
  const { modelCalls, durationMs, inputTokens, outputTokens } = run.tally.statistics();
  const { maxSteps, maxDurationMs, maxTokens } = run.settings.limits;
  const uses = [
    { what: 'model calls', used: modelCalls, limit: (maxSteps ?? 0) < fewestSteps ? null : maxSteps },
    { what: 'time', used: durationMs, limit: maxDurationMs },
    { what: 'tokens', used: inputTokens + outputTokens, limit: maxTokens },
  ];
  for (const { what, used, limit } of uses) {
    const notice = `Four fifths of the ${what} that this run may take are used up. Finish what matters most, check it, and bring the task to its end.`;
    if (limit === null || used < limit * nearShare || run.conversation.wasTold(notice)) continue;
    await run.conversation.append({ role: 'user', content: notice });
  }
}
