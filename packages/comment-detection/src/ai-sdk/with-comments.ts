import {
  type Agent,
  experimental_createSteering as createSteering,
  type GenerateTextOnStepEndCallback,
  type OutputInterface,
  type Experimental_Steering as Steering,
  type ToolLoopAgent,
  type ToolSet,
} from 'ai';
import type { CommentDetectionManager } from '../comment-detection-manager.ts';
import { createCommentInbox } from '../comment-inbox.ts';
import type { CallOptions } from '../ports.ts';
import { sleepFor } from '../sleep-for.ts';
import { CommentEar } from './comment-ear.ts';

export interface WithCommentsOptions {
  /** Waits at the end of a call while the thread cannot be read, at most a minute. */
  readonly sleep?: ((milliseconds: number, options: CallOptions) => Promise<void>) | undefined;
}

type Context = Record<string, unknown>;

/** What this reads of a call, and puts into it. */
interface HeardCall<TOOLS extends ToolSet, CONTEXT extends Context> {
  readonly abortSignal?: AbortSignal;
  readonly experimental_steering?: Steering;
  readonly onStepEnd?: GenerateTextOnStepEndCallback<TOOLS, CONTEXT>;
  readonly onStepFinish?: GenerateTextOnStepEndCallback<TOOLS, CONTEXT>;
}

/**
 * The agent, hearing what people say while it works. Comments come in as messages of the user before the first
 * step, between steps, and after the final answer: then the call goes on, at most five times. Never between a
 * tool call and its result. Its stop conditions hold: what comes too late for them is heard at the next call.
 *
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
  { sleep = sleepFor }: WithCommentsOptions = {},
): Agent<OPTIONS, TOOLS, CONTEXT, OUTPUT> {
  const inbox = createCommentInbox(manager);
  const listen = async <Call extends object>(
    call: Call & HeardCall<TOOLS, CONTEXT>,
  ): Promise<Call & { readonly experimental_steering: Steering }> => {
    if (!manager.initialized) await manager.initialize();
    const { abortSignal: signal, experimental_steering: steering = createSteering() } = call;
    const ear = new CommentEar({ inbox, steering, sleep, signal });
    await ear.beforeFirstStep();
    const callersOwn = call.onStepEnd ?? call.onStepFinish;
    const onStepEnd: GenerateTextOnStepEndCallback<TOOLS, CONTEXT> = async (step) => {
      const tellCaller = async () => callersOwn?.(step);
      await Promise.allSettled([tellCaller(), ear.afterStep(step)]);
    };
    return { ...call, experimental_steering: steering, onStepEnd };
  };
  return {
    version: agent.version,
    id: agent.id,
    tools: agent.tools,
    generate: async (call) => agent.generate(await listen(call)),
    stream: async (call) => agent.stream(await listen(call)),
  };
}
