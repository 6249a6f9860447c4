import type { ToolModelMessage } from 'ai';
import { type RunEnding, toFailed, toInterrupted } from './ending.ts';
import { fitStart } from './fit-tool-output.ts';
import type { Run } from './run.ts';
import { runToolCall, type ToolAnswer } from './run-tool-call.ts';
import type { ModelToolCall } from './take-step.ts';

/**
 * Runs the calls of one answer, one after the other; each result is journalled before the next call begins. Null
 * when the run goes on.
 */
export async function runToolCalls(run: Run, calls: readonly ModelToolCall[]): Promise<RunEnding | null> {
  for (const call of calls) {
    const answer = await runToolCall(run, call);
    if (answer === null) return toInterrupted(run);
    await run.conversation.append(toToolMessage(call, answer));
    const failed = findExhausted(run, { call, answer });
    if (failed !== null) return failed;
  }
  return null;
}

/** Answers calls that an earlier process left without a result: whether they took effect cannot be known. */
export async function answerInterruptedCalls(run: Run): Promise<void> {
  const output = 'interrupted; its effect is unknown: look before repeating';
  for (const call of run.conversation.openCalls) {
    await run.conversation.append(toToolMessage(call, { status: 'success', output }));
  }
}

function findExhausted(
  run: Run,
  { call, answer }: { readonly call: ModelToolCall; readonly answer: ToolAnswer },
): RunEnding | null {
  const { maxToolFailures } = run.limits;
  const times = run.conversation.failures.count(call.toolName);
  if (maxToolFailures === null || times < maxToolFailures) return null;
  const name = run.options.limitNames?.maxToolFailures ?? 'maxToolFailures';
  const lastError = fitStart(answer.output, { maxChars: 500 });
  return toFailed(run, run.texts.toolFailed({ tool: call.toolName, times, name, lastError }));
}

function toToolMessage(
  { toolCallId, toolName }: { readonly toolCallId: string; readonly toolName: string },
  { status, output }: ToolAnswer,
): ToolModelMessage {
  const type = status === 'success' ? 'text' : 'error-text';
  return {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId, toolName, output: { type, value: output } }],
  };
}
