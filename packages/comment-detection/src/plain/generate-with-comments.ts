import { checkOptions, checkValue, type Expectation, expected, expectNumber } from '@agent/text/options';
import type { ModelMessage } from 'ai';
import type { DeliveryReceipt } from '../changes.ts';
import { type Checkpoint, takeCheckpoint } from '../checkpoint.ts';
import { CommentDetectionError, type FailureListener, heedFailure } from '../comment-detection-error.ts';
import type { CommentDetectionManager } from '../comment-detection-manager.ts';
import { expectedManager, HeardSteps, type PreparedStep } from '../prepare-step/heard-steps.ts';
import { RunningCall, reportUndelivered } from '../running-call.ts';

/** The part of a call of `generateText` that this reads and writes. */
export interface PlainCall {
  readonly prompt?: string | readonly ModelMessage[] | undefined;
  readonly messages?: readonly ModelMessage[] | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** The part of its result: `ai` 6 has the messages of all steps in `response`, `ai` 7 in `responseMessages`. */
export interface PlainResult {
  readonly response: { readonly messages: readonly ModelMessage[] };
  readonly responseMessages?: readonly ModelMessage[];
}

/** Options of `generateWithComments`. */
export interface GenerateWithCommentsOptions<CALL extends PlainCall> {
  readonly manager: CommentDetectionManager;
  /** Options of `generateText`, but for `prepareStep`. */
  readonly call: CALL & { readonly prepareStep?: never };
  /**
   * Told of the messages and the manager's state, which agree, before the first request and once it has ended: keep both in one
   * write, and `resumeFrom` it, so that what is said meanwhile outlives a crash. What it throws fails the call.
   */
  readonly onCheckpoint?: ((checkpoint: Checkpoint) => Promise<void> | void) | undefined;
  /** Told of what all of it delivered, once it has ended. */
  readonly onDelivered?: ((receipt: DeliveryReceipt) => void) | undefined;
  /** Told of all that keeps comments from being heard; answers `fail` or `go-on`. */
  readonly onError?: FailureListener | undefined;
  /** Number of times that comments may keep it from ending. Default 5. */
  readonly maxRounds?: number | undefined;
}

/** Result of the last call, and the conversation that all of them made, with the comments in their places. */
export interface HeardGeneration<RESULT> {
  readonly result: RESULT;
  readonly messages: ModelMessage[];
}

/**
 * Calls `generateText` of `ai` 6 or 7 so that it hears its thread: before each step, and after the final answer, where it is called
 * again, at most five times. What it heard counts as delivered once it resolves: where it rejects, the conversation is gone, and
 * the next one hears all of it again. `withComments` of `/ai-sdk` does the same within one call, and for streams, with `ai` 7.
 *
 * @example
 * const call = { model, tools, prompt: 'Fix the export.', stopWhen: stepCountIs(20) };
 * const { result, messages } = await generateWithComments(generateText, { manager, call });
 */
export async function generateWithComments<CALL extends PlainCall, RESULT extends PlainResult>(
  generate: (call: CALL) => PromiseLike<RESULT>,
  options: GenerateWithCommentsOptions<CALL>,
): Promise<HeardGeneration<RESULT>> {
  checkValue('The first argument of generateWithComments', generate, expected.function);
  checkOptions('GenerateWithCommentsOptions', options, expectations, ['manager', 'call']);
  const running = RunningCall.begin(options.manager);
  try {
    return await generateRounds(generate, options);
  } finally {
    running.end();
  }
}

const expectations = {
  manager: expectedManager,
  call: expected.object,
  onCheckpoint: expected.function,
  onDelivered: expected.function,
  onError: expected.function,
  maxRounds: expectNumber(0, { isWhole: true }),
} as const satisfies Record<keyof GenerateWithCommentsOptions<PlainCall>, Expectation>;

async function generateRounds<CALL extends PlainCall, RESULT extends PlainResult>(
  generate: (call: CALL) => PromiseLike<RESULT>,
  { manager, call, onCheckpoint, onDelivered, onError, maxRounds = 5 }: GenerateWithCommentsOptions<CALL>,
): Promise<HeardGeneration<RESULT>> {
  const steps = new HeardSteps({ manager, onDelivered, onError });
  const { prompt, messages: given, ...options } = call;
  const signal = call.abortSignal;
  const prepareStep = async (step: PreparedStep) => {
    const prepared = await steps.prepare(step, { signal });
    return prepared && { messages: prepared };
  };
  let messages = toMessages(given ?? prompt);
  await steps.startListening();
  await onCheckpoint?.(takeCheckpoint(manager, messages));
  for (let round = 0; ; round += 1) {
    steps.begin();
    const result = await generate({ ...options, messages, prepareStep } as unknown as CALL);
    messages = steps.restore([...messages, ...(result.responseMessages ?? result.response.messages)]);
    const isLast = round >= maxRounds;
    const { status, message, error } = await (isLast
      ? steps.poll({ barrier: true, signal })
      : steps.take({ barrier: true, signal }));
    if (message === null) {
      steps.settle();
      await onCheckpoint?.(takeCheckpoint(manager, messages));
      if (status !== 'checked') heedFailure(endedUnheard(error), onError);
      const reason = isLast
        ? `Comments have kept it from ending ${maxRounds} times (maxRounds).`
        : 'Comments of untrusted users do not keep it from ending.';
      reportUndelivered(manager, { reason, onError });
      return { result, messages };
    }
    messages.push(message);
  }
}

function toMessages(given: string | readonly ModelMessage[] | undefined): ModelMessage[] {
  if (typeof given === 'string') return [{ role: 'user', content: given }];
  return [...(given ?? [])];
}

function endedUnheard(cause: unknown): CommentDetectionError {
  const message =
    'The call ended although its thread could not be read; newer comments are delivered at the next call.';
  return new CommentDetectionError(message, { code: 'ended-unheard', isPermanent: false, cause });
}
