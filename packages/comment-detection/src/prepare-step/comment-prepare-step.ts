import { checkOptions, checkValue, type Expectation, expected } from '@agent/text/options';
import type { ModelMessage } from 'ai';
import type { FailureListener } from '../comment-detection-error.ts';
import type { CommentDetectionManager } from '../comment-detection-manager.ts';
import type { CommentInboxOptions } from '../comment-inbox.ts';
import { RunningCall } from '../running-call.ts';
import { expectedManager, HeardSteps } from './heard-steps.ts';

/** Input and answer of a `prepareStep`, as far as comments need it. */
export type CommentPrepareStep = (options: {
  readonly messages: readonly ModelMessage[];
  readonly stepNumber?: number;
}) => Promise<{ messages: ModelMessage[] } | undefined>;

/** Options of `createCommentPrepareStep`. */
export interface CommentPrepareStepOptions extends Pick<CommentInboxOptions, 'onDelivered'> {
  /** Told of all that keeps comments from being heard; answers `fail` or `go-on`. */
  readonly onError?: FailureListener | undefined;
}

const expectations = {
  onDelivered: expected.function,
  onError: expected.function,
} as const satisfies Record<keyof CommentPrepareStepOptions, Expectation>;

/**
 * A bare `prepareStep` for `generateText`, `streamText` and agents that `withComments` cannot wrap: before each
 * step it appends what was said. It misses what `withComments` hears: the SDK does not call it after the final
 * answer, so a comment that comes during the last model call is not heard; and it cannot see whether the request
 * succeeds, so a comment that goes with a request that fails counts as delivered. It needs no particular `ai`. One call at a time.
 * To lose nothing that is said before a crash in the first step, `initialize()` the manager first, and keep its `toState()`.
 *
 * @example
 * const prepareStep = createCommentPrepareStep(new CommentDetectionManager(source));
 * const { text } = await generateText({ model, messages, prepareStep, stopWhen: isStepCount(20) });
 */
export function createCommentPrepareStep(
  manager: CommentDetectionManager,
  options: CommentPrepareStepOptions = {},
): CommentPrepareStep {
  checkValue('The manager of createCommentPrepareStep', manager, expectedManager);
  checkOptions('CommentPrepareStepOptions', options, expectations);
  const steps = new HeardSteps({ manager, ...options });
  return async (step) => {
    const running = RunningCall.begin(manager);
    try {
      const messages = await steps.prepare(step);
      steps.settle();
      return messages && { messages };
    } finally {
      running.end();
    }
  };
}
