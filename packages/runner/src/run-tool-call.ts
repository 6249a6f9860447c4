import { fitStart, toErrorMessage } from '@agent/text';
import { InvalidToolInputError } from 'ai';
import { withTimeout } from './call-limits.ts';
import { hideInValue, journaled } from './conversation.ts';
import type { RunTool } from './model.ts';
import type { Run } from './run.ts';
import type { ModelToolCall } from './take-step.ts';
import { storable } from './window/excerpt.ts';

/** Result of a call, as the model is told. */
export interface ToolAnswer {
  readonly status: 'success' | 'error';
  readonly output: string;
  /** Tells whether the call was none that may be made: then it is no failure of the tool. Default false. */
  readonly refused?: boolean;
  readonly failure?: string | undefined;
}

/** Runs one call between its two lines in the journal; null when the run was aborted in the middle of it. */
export async function runToolCall(
  run: Run,
  call: ModelToolCall,
  { isCut }: { readonly isCut: boolean },
): Promise<ToolAnswer | null> {
  const tool = Object.hasOwn(run.calls.tools, call.toolName) ? run.calls.tools[call.toolName] : undefined;
  const record = createRecord(run, call);
  if (isCut) return record.finish(cutCall);
  if (tool === undefined || call.invalid) return record.finish(describeInvalidCall(run, call));
  if (!run.calls.allows(call.toolName)) return record.finish(describeUnallowedCall(call));
  await record.start();
  const answer = await execute(run, { tool, call });
  return answer === null ? null : record.finish(answer);
}

/** The lines of one call in the journal, and what listeners hear of it. */
function createRecord(run: Run, call: ModelToolCall) {
  const { journal } = run.settings;
  const args = hideInValue(call.input, run.settings.hideKnownSecrets);
  const fields = { toolCallId: call.toolCallId, tool: call.toolName, args };
  const step = run.tally.statistics().modelCalls;
  const createdAt = run.settings.now();
  return {
    async start(): Promise<void> {
      await journaled(journal.append({ type: 'tool-started', ...fields }));
      run.emit({ type: 'tool-start', step, ...fields });
    },
    async finish(answer: ToolAnswer): Promise<ToolAnswer> {
      const durationMs = Math.max(0, Math.round(run.settings.now() - createdAt));
      const { status, output, failure } = answer;
      const failed = failure === undefined ? {} : { failure };
      const end = { ...fields, status, output, durationMs, ...failed };
      await journaled(journal.append({ type: 'tool-finished', ...end }));
      run.emit({ type: 'tool-end', step, ...end });
      return answer;
    },
  };
}

/** Milliseconds that a tool has to end after an abort: a command gets SIGTERM, and SIGKILL after five seconds. */
const abortGraceMs = 6_000;

async function execute(
  run: Run,
  { tool, call }: { readonly tool: RunTool; readonly call: ModelToolCall },
): Promise<ToolAnswer | null> {
  const { toolTimeoutMs } = run.calls;
  const { hardSignal } = run.steering;
  const { toolCallId } = call;
  let failed: { readonly failure?: string } = {};
  const onFailure = (text: string): void => {
    failed = { failure: fitStart(run.settings.hideKnownSecrets(text), 200) };
  };
  try {
    const room = { maxTokens: run.window.reportTokens, count: run.window.count };
    const work = async (signal: AbortSignal) =>
      tool.execute(call.input, { toolCallId, signal, onFailure, room });
    const result = await withTimeout(work, {
      timeoutMs: toolTimeoutMs,
      sleep: run.settings.sleep,
      signal: hardSignal,
      graceMs: abortGraceMs,
    });
    if (result.kind === 'aborted') return null;
    if (result.kind === 'done') return { status: 'success', output: toOutput(run, result.value), ...failed };
    const seconds = Math.round(toolTimeoutMs / 1000);
    const output = `"${call.toolName}" did not finish within ${seconds} seconds and was stopped; its effect is unknown: look before repeating.`;
    return { status: 'error', output };
  } catch (error) {
    const output = toOutput(run, toErrorMessage(error));
    const refused = (error as { code?: unknown } | null)?.code === 'refused';
    return { status: 'error', output, refused };
  }
}

function toOutput(run: Run, text: string): string {
  // Secrets go first: a cut through one would hide it from its pattern.
  return storable(run.settings.hideKnownSecrets(text), { maxChars: run.calls.maxToolOutputChars });
}

/** A call whose JSON was closed by the server lacks a part without showing it. */
const cutCall: ToolAnswer = {
  status: 'error',
  output:
    'The answer was cut at the output limit in this call. Nothing was executed. Make the call again in smaller parts.',
  refused: true,
};

function describeInvalidCall(run: Run, call: ModelToolCall): ToolAnswer {
  return { status: 'error', output: describeInvalidity(run, call) };
}

function describeUnallowedCall({ toolName }: ModelToolCall): ToolAnswer {
  const output = `"${toolName}" changes things and may not be called in this phase: nothing was done. Only tools that read may.`;
  return { status: 'error', output, refused: true };
}

function describeInvalidity(run: Run, call: ModelToolCall): string {
  const names = Object.keys(run.calls.tools);
  if (!names.includes(call.toolName)) {
    return `There is no tool "${call.toolName}". The tools are: ${names.join(', ') || 'none'}.`;
  }
  const error = call.invalid ? call.error : null;
  const cause = InvalidToolInputError.isInstance(error) ? error.cause : error;
  const why =
    cause instanceof Error ? fitStart(run.settings.hideKnownSecrets(cause.message), 2000) : 'no detail';
  return `The call of "${call.toolName}" was not executed: its arguments are not a JSON object that fits the tool's schema. ${why}`;
}
