import type { ToolModelMessage } from 'ai';
import { passCheckpoint } from './checkpoint.ts';
import {
  describeLimit,
  findExceededLimit,
  type RunEnding,
  toEnding,
  toFailed,
  toInterrupted,
} from './ending.ts';
import { markResult } from './fruitless-calls.ts';
import { isAborted, type Run } from './run.ts';
import { runToolCall, type ToolAnswer } from './run-tool-call.ts';
import type { ModelToolCall } from './take-step.ts';

/** The calls of one answer: those that may be made, and how many more there were. */
interface AnswerCalls {
  readonly calls: readonly ModelToolCall[];
  readonly refused: number;
  /** True if the last call may lack a part. */
  readonly isCut: boolean;
}

/**
 * Runs the calls of one answer, one after the other; each result is journaled before the next call begins. Between
 * them pause, stop and the time are looked at: what is not made then is answered as such, so that every call has its
 * result. Null when the run goes on.
 */
export async function runToolCalls(
  run: Run,
  { calls, refused, isCut }: AnswerCalls,
): Promise<RunEnding | null> {
  for (const [index, call] of calls.entries()) {
    const ending = await findEnding(run);
    if (ending !== null) {
      await answerUnmade(run, calls.slice(index));
      return ending;
    }
    const answer = await runToolCall(run, call, { isCut: isCut && index === calls.length - 1 });
    if (answer === null) return toInterrupted(run);
    await run.conversation.append(toToolMessage(call, warnOfLimit(run, { call, answer })));
  }
  if (refused > 0)
    await run.conversation.append({ role: 'user', content: tellRefused(calls.length, refused) });
  return null;
}

/** The result of a call of which nobody knows what became. */
export function toInterruptedResult(call: Pick<ModelToolCall, 'toolCallId' | 'toolName'>): ToolModelMessage {
  const output = 'interrupted; its effect is unknown: look before repeating';
  return toToolMessage(call, { status: 'success', output, interrupted: true });
}

/** The result of a call that never began: the one before it has no result. */
export function toUnbegunResult(call: Pick<ModelToolCall, 'toolCallId' | 'toolName'>): ToolModelMessage {
  const output = 'was not executed: the run was interrupted before it started';
  return toToolMessage(call, { status: 'error', output, refused: true });
}

/** Answers calls that are not to be made any more. */
export async function answerUnmade(run: Run, calls: readonly ModelToolCall[]): Promise<void> {
  if (calls.length === 0) return;
  const unmade = {
    status: 'error',
    output: 'not run: the run was ended or paused before it',
    refused: true,
  } as const;
  const content = calls.flatMap((call) => toToolMessage(call, unmade).content);
  await run.conversation.append({ role: 'tool', content });
}

/** A shutdown that only `signal` asks for waits for the calls of the step at hand; a pause, a stop and the end of its time do not. */
async function findEnding(run: Run): Promise<RunEnding | null> {
  const { verdict } = await passCheckpoint(run, { name: 'before_call', poll: false });
  if (verdict !== 'shutdown' || isAborted(run)) {
    const ending = toEnding(run, verdict);
    if (ending !== null) return ending;
  }
  const { maxDurationMs } = run.limits;
  const limit = findExceededLimit(run.tally.statistics(), { maxDurationMs });
  return limit === null ? null : toFailed(run, describeLimit(run, limit));
}

/** One failure before the last that is allowed, the model is told so with the error. */
function warnOfLimit(
  run: Run,
  { call, answer }: { readonly call: ModelToolCall; readonly answer: ToolAnswer },
): ToolAnswer {
  const { maxToolFailures } = run.limits;
  if (maxToolFailures === null || answer.status === 'success' || answer.refused) return answer;
  const times = run.conversation.failures.countNext(call.toolName);
  if (times !== maxToolFailures - 1) return answer;
  const warning = `("${call.toolName}" has now failed in ${times} turns in a row; at ${maxToolFailures} the run ends. Do it another way.)`;
  return { ...answer, output: `${answer.output}\n\n${warning}` };
}

function tellRefused(made: number, refused: number): string {
  return `Your last answer made ${made + refused} calls. The first ${made} were executed, the other ${refused} were refused: make at most ${made} calls in one answer.`;
}

function toToolMessage(
  { toolCallId, toolName }: { readonly toolCallId: string; readonly toolName: string },
  { status, output, refused, interrupted, failure }: ToolAnswer & { readonly interrupted?: boolean },
): ToolModelMessage {
  const type = status === 'success' ? 'text' : 'error-text';
  const marked = markResult({ refused, interrupted, failure });
  return {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId, toolName, output: { type, value: output }, ...marked }],
  };
}
