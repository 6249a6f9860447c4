import { generateText, isStepCount, type ToolSet, type TypedToolCall } from 'ai';
import { classifyModelError } from './classify-model-error.ts';
import { fitStart } from './fit-tool-output.ts';
import type { RunTools, TokenUsage } from './model.ts';
import { isAborted, type Run } from './run.ts';
import { withUniqueCallIds } from './unique-call-ids.ts';

/** A tool call as the model made it; `invalid` when the tool or the arguments are none that we know. */
export type ModelToolCall = TypedToolCall<ToolSet>;

/** What one model call came to; an answer is in the journal when it comes back. */
export type StepAnswer =
  | { readonly kind: 'calls'; readonly calls: readonly ModelToolCall[] }
  | { readonly kind: 'final' }
  /** Nothing to go on with: nothing in it, or cut off at the model's maximum length. Not in the journal. */
  | { readonly kind: 'unusable'; readonly why: 'empty' | 'cut-off'; readonly usage: TokenUsage }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'aborted' };

const defaultStepTimeoutMs = 600_000;

/** Asks the model once, and journals what it said before anything rests on it. */
export async function takeStep(run: Run): Promise<StepAnswer> {
  const step = run.statistics().modelCalls + 1;
  run.emit({ type: 'step-start', step });
  let result: Awaited<ReturnType<typeof askModel>>;
  try {
    result = await askModel(run);
  } catch (error) {
    return isAborted(run) ? { kind: 'aborted' } : { kind: 'failed', reason: describeFailure(run, error) };
  }
  const usage = { inputTokens: result.usage.inputTokens ?? 0, outputTokens: result.usage.outputTokens ?? 0 };
  const calls = result.toolCalls.filter(({ providerExecuted }) => providerExecuted !== true);
  const text = run.hideKnownSecrets(result.text);
  run.emit({ type: 'model-answer', step, text, tools: calls.map(({ toolName }) => toolName), usage });
  const message = result.responseMessages.find(({ role }) => role === 'assistant');
  if (calls.length === 0 && result.finishReason === 'length') {
    return { kind: 'unusable', why: 'cut-off', usage };
  }
  if (message === undefined || (calls.length === 0 && text.trim() === '')) {
    return { kind: 'unusable', why: 'empty', usage };
  }
  await run.conversation.append(message, { usage });
  return calls.length === 0 ? { kind: 'final' } : { kind: 'calls', calls };
}

function askModel({ options, conversation }: Run) {
  const { instructions } = conversation;
  const { stepTimeoutMs = defaultStepTimeoutMs } = options;
  return generateText({
    model: withUniqueCallIds(options.model),
    messages: conversation.messages,
    ...(instructions === '' ? {} : { instructions }),
    tools: withoutExecute(options.tools),
    stopWhen: isStepCount(1),
    maxRetries: options.maxRetries ?? 2,
    timeout: { stepMs: stepTimeoutMs },
    providerOptions: options.providerOptions ?? { openai: { store: false } },
    ...(options.hardSignal === undefined ? {} : { abortSignal: options.hardSignal }),
  });
}

/** The model sees what tools are for; running them is the runner's, where an error can end the run. */
function withoutExecute(tools: RunTools): ToolSet {
  return Object.fromEntries(
    Object.entries(tools).map(([name, { description, inputSchema }]) => [name, { description, inputSchema }]),
  );
}

function describeFailure(run: Run, error: unknown): string {
  const failure = classifyModelError(error);
  const detail =
    failure.detail === null ? null : fitStart(run.hideKnownSecrets(failure.detail), { maxChars: 300 });
  run.logger?.warn({ kind: failure.kind, status: failure.status }, 'the model call failed');
  const timeoutMs = run.options.stepTimeoutMs ?? defaultStepTimeoutMs;
  return run.hideKnownSecrets(run.texts.modelFailed({ ...failure, detail, timeoutMs }));
}
