import type { CallOptions } from '@agent/platforms';
import { checkOptions, checkValue, type Expectation, expected, expectNumber } from '@agent/text/options';
import type {
  Agent,
  ModelMessage,
  OutputInterface,
  Experimental_Steering as Steering,
  ToolLoopAgent,
  ToolSet,
} from 'ai';
import * as sdk from 'ai';
import type { DeliveryReceipt } from '../changes.ts';
import { type Checkpoint, takeCheckpoint } from '../checkpoint.ts';
import type { FailureListener } from '../comment-detection-error.ts';
import type { CommentDetectionManager } from '../comment-detection-manager.ts';
import { sleepFor } from '../comment-detection-options.ts';
import { expectedManager } from '../prepare-step/heard-steps.ts';
import { RunningCall } from '../running-call.ts';
import { CommentSteering, type EndedStep, type SteeringRules } from './comment-steering.ts';
import {
  type BegunStep,
  type ConversationStep,
  findApprovedResults,
  isFailedStep,
  toStepMessages,
} from './to-conversation.ts';

/** Options of `withComments`. */
export interface WithCommentsOptions {
  /**
   * Told as soon as the call listens, before its first request, and after each step, before `onStepEnd`, of all messages of the call
   * so far and of the manager's state, which agree: keep both in one write, and `resumeFrom` it. What it throws fails the call. A
   * step that failed in the middle of its stream is in neither.
   */
  readonly onCheckpoint?: ((checkpoint: Checkpoint) => Promise<void> | void) | undefined;
  /**
   * Told of what a step's request delivered, before `onStepEnd` is told of the step: `manager.toState()` and the
   * messages of the steps so far then agree. What it throws fails the call.
   */
  readonly onDelivered?: ((receipt: DeliveryReceipt) => Promise<void> | void) | undefined;
  /** Told of all that keeps comments from being heard; answers `fail` or `go-on`. */
  readonly onError?: FailureListener | undefined;
  /** Time that the end of a call waits for a thread that cannot be read, in milliseconds. Default 60,000. */
  readonly maxWaitMs?: number | undefined;
  /** Number of times that comments may keep a call from ending. Default 5. */
  readonly maxRounds?: number | undefined;
  /** Waits at the end of a call while the thread cannot be read. */
  readonly sleep?: ((milliseconds: number, options: CallOptions) => Promise<void>) | undefined;
}

type Context = Record<string, unknown>;

// biome-ignore lint/suspicious/noExplicitAny: the caller's own, whose parameter depends on its tools
type Callback = ((event: any) => unknown) | undefined;

/** The part of a call that this reads and writes. */
interface HeardCall {
  readonly prompt?: string | readonly ModelMessage[];
  readonly messages?: readonly ModelMessage[];
  readonly abortSignal?: AbortSignal;
  readonly experimental_steering?: Steering;
  readonly onStepStart?: Callback;
  readonly experimental_onStepStart?: Callback;
  readonly onStepEnd?: Callback;
  readonly onStepFinish?: Callback;
  readonly onStepError?: Callback;
  readonly onEnd?: Callback;
  readonly onFinish?: Callback;
}

/**
 * The agent, or `generateText` or `streamText`, hearing what people say while it works. Comments come in as messages of the user
 * before the first step, between steps, and after the final answer: then the call goes on, at most five times. Never between a
 * tool call and its result. Its stop conditions hold (`generateText` alone stops after one step: give `stopWhen`): what comes too
 * late for them is heard at the next call. A thread that cannot be read for a reason that does not pass fails the call. One call at a time.
 *
 * @example
 * const agent = withComments(new ToolLoopAgent({ model, tools }), new CommentDetectionManager(source));
 * const { text } = await agent.generate({ prompt: 'Mend the export.' });
 * const { textStream } = await withComments(streamText, manager)({ model, tools, prompt, stopWhen: isStepCount(20) });
 *
 * @throws TypeError without an agent or a manager, for an option that it does not know or cannot use, or with a version of `ai` that cannot steer
 * @see https://ai-sdk.dev/docs/agents
 */
export function withComments<
  OPTIONS,
  TOOLS extends ToolSet,
  CONTEXT extends Context,
  OUTPUT extends OutputInterface,
>(
  agent: ToolLoopAgent<OPTIONS, TOOLS, CONTEXT, OUTPUT>,
  manager: CommentDetectionManager,
  options?: WithCommentsOptions,
): Agent<OPTIONS, TOOLS, CONTEXT, OUTPUT>;
export function withComments<CALL extends object, RESULT>(
  call: (options: CALL) => RESULT,
  manager: CommentDetectionManager,
  options?: WithCommentsOptions,
): (options: CALL) => Promise<Awaited<RESULT>>;
/** Any other agent or function. TypeScript reports the mistakes of a call by its last overload, so that this one names a wrong option. */
export function withComments(
  target: Pick<Agent, 'generate' | 'stream'> | ((options: never) => unknown),
  manager: CommentDetectionManager,
  options?: WithCommentsOptions,
): unknown;
export function withComments(
  target: object,
  manager: CommentDetectionManager,
  options: WithCommentsOptions = {},
): unknown {
  requireParts(target, manager);
  checkOptions('WithCommentsOptions', options, expectations);
  const listen = createListener(manager, options);
  const hearing =
    (run: (call: object) => unknown) =>
    async (call: object): Promise<unknown> => {
      const { heard, ended, running, close } = await listen(call);
      try {
        const result = await run(heard);
        if (isStream(result)) return result;
        await close();
        ended.throwIfAborted();
        return result;
      } catch (error) {
        running.end();
        throw error;
      }
    };
  if (typeof target === 'function') return hearing((call) => target(call));
  const agent = target as Agent;
  return {
    version: agent.version,
    id: agent.id,
    tools: agent.tools,
    generate: hearing((call) => agent.generate(call as Parameters<Agent['generate']>[0])),
    stream: hearing((call) => agent.stream(call as Parameters<Agent['stream']>[0])),
  };
}

/** A stream goes on after it is returned. */
function isStream(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'textStream' in result;
}

/** Makes the function that has one call hear; its signal is aborted with what ends the call. */
function createListener(manager: CommentDetectionManager, options: WithCommentsOptions) {
  const { maxWaitMs = 60_000, maxRounds = 5, sleep = sleepFor, onDelivered, onError, onCheckpoint } = options;
  const rules: SteeringRules = { maxWaitMs, maxRounds, sleep, onDelivered, onError };
  return async <Call extends object>(call: Call & HeardCall) => {
    const ended = new AbortController();
    const { abortSignal: callers, experimental_steering: steering = sdk.experimental_createSteering() } =
      call;
    const signal = callers === undefined ? ended.signal : AbortSignal.any([callers, ended.signal]);
    const running = RunningCall.begin(manager, { signal });
    const commentSteering = new CommentSteering({ manager, steering, rules, signal });
    const messages = toMessages(call);
    try {
      await commentSteering.startListening();
      await onCheckpoint?.(takeCheckpoint(manager, messages));
      await commentSteering.beforeFirstStep();
    } catch (error) {
      running.end();
      throw error;
    }
    const close = async () => {
      const isOver = running.isOver;
      running.end();
      if (!isOver) commentSteering.reportUndelivered();
    };
    // The SDK swallows what a callback throws; the signal ends the call with it.
    const end = (error: unknown) => ended.abort(error);
    const callersOwn = call.onStepEnd ?? call.onStepFinish;
    const onStepStart = (start: BegunStep) => {
      messages.push(...findApprovedResults(start, messages));
      return (call.onStepStart ?? call.experimental_onStepStart)?.(start);
    };
    const settle = async (step: ConversationStep) => {
      if (isFailedStep(step)) return commentSteering.dropStep();
      messages.push(...toStepMessages(step));
      await commentSteering.settleStep();
      await onCheckpoint?.(takeCheckpoint(manager, messages));
    };
    const onStepEnd = async (step: ConversationStep & EndedStep) => {
      await settle(step).catch(end);
      const tellCaller = async () => callersOwn?.(step);
      await Promise.allSettled([tellCaller(), commentSteering.afterStep(step).catch(end)]);
    };
    const onStepError = (failure: unknown) => {
      running.end();
      return call.onStepError?.(failure);
    };
    const onEnd = async (event: unknown) => {
      await close().catch(end);
      await (call.onEnd ?? call.onFinish)?.(event);
    };
    const listening = { abortSignal: signal, experimental_steering: steering };
    const heard = { ...call, ...listening, onStepStart, onStepEnd, onStepError, onEnd };
    return { heard: heard as Call, ended: ended.signal, running, close };
  };
}

function toMessages({ prompt, messages = [] }: HeardCall): ModelMessage[] {
  if (typeof prompt === 'string') return [{ role: 'user', content: prompt }];
  return [...(prompt ?? messages)];
}

function requireParts(agent: object, manager: CommentDetectionManager): void {
  if (typeof sdk.experimental_createSteering !== 'function') {
    throw new TypeError(
      'withComments needs `ai` 7.0.154 or newer; with an older one use createCommentPrepareStep of @agent/comment-detection/prepare-step.',
    );
  }
  const { generate, stream } = (agent ?? {}) as Partial<Record<string, unknown>>;
  const isAgent = typeof generate === 'function' && typeof stream === 'function';
  if (!isAgent && typeof agent !== 'function') {
    throw new TypeError(
      'withComments needs an agent, such as a ToolLoopAgent: an object with generate and stream; or generateText or streamText.',
    );
  }
  checkValue('The manager of withComments', manager, expectedManager);
}

const expectations = {
  onCheckpoint: expected.function,
  onDelivered: expected.function,
  onError: expected.function,
  maxWaitMs: expectNumber(0),
  maxRounds: expectNumber(0, { isWhole: true }),
  sleep: expected.function,
} as const satisfies Record<keyof WithCommentsOptions, Expectation>;
