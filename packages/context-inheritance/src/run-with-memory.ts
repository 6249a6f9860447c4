import type { NewRun, RunStore } from '@agent/run-store';
import type { ContextInheritanceManager } from './context-inheritance-manager.ts';
import type { KeyDecision } from './decisions/decision.ts';
import { toDecisionLine } from './decisions/decision-line.ts';
import type { InheritanceContext } from './model.ts';

/** Tokens of calls of a model. */
export interface MemoryUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Run that remembers, as the work sees it. */
export interface RememberingRun<Message> {
  readonly uuid: string;
  /** Block for the end of the system prompt; empty where there is nothing to inherit. */
  readonly inheritedPrompt: string;
  /** Null: a new task. */
  readonly inherited: InheritanceContext | null;
  /** Keeps messages of the conversation, each on the disk before it resolves. */
  readonly append: (...messages: readonly Message[]) => Promise<void>;
}

/** Result of the work, and its legacy to later runs. */
export interface RememberedWork<Result> {
  readonly result: Result;
  /** Summary for later runs, such as a model's. Null or empty: they inherit nothing of this one. */
  readonly summary: string | null;
  /** Decisions that later runs must know, each with the comment that it rests on. Default none. */
  readonly keyDecisions?: readonly KeyDecision[] | undefined;
  /** Cost of the summary and all else. Default zero. */
  readonly usage?: MemoryUsage | undefined;
}

/** Options of `runWithMemory`. */
export interface RunWithMemoryOptions<Message> {
  readonly store: Pick<RunStore<Message>, 'open' | 'finish'>;
  readonly manager: Pick<
    ContextInheritanceManager,
    'getInheritanceContext' | 'createInheritedPrompt' | 'forget'
  >;
  /** The task, and whoever asked for it. */
  readonly task: Pick<NewRun, 'taskKey' | 'taskKeyText' | 'host' | 'user'> &
    Partial<Pick<NewRun, 'config' | 'extra'>>;
  /** Default: a random UUID. */
  readonly uuid?: string | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

const nothing: MemoryUsage = { inputTokens: 0, outputTokens: 0 };

/**
 * Carries out one run with the memory of its thread: inherits what earlier runs settled, has the work done, keeps its summary for later
 * runs, and files the run. Where the work rejects, the run is filed as failed, and the error comes through; where the index cannot be
 * asked, nothing is begun: nobody knows then whether there is something to inherit.
 *
 * @example
 * const { text } = await runWithMemory({ store, manager, task }, async ({ inheritedPrompt, append }) => {
 *   const answer = await generateText({ model, instructions: `You fix things.\n${inheritedPrompt}`, prompt });
 *   await append({ role: 'user', content: prompt }, ...answer.responseMessages);
 *   return { result: answer, summary: answer.text };
 * });
 */
export async function runWithMemory<Message, Result>(
  options: RunWithMemoryOptions<Message>,
  work: (run: RememberingRun<Message>) => Promise<RememberedWork<Result>>,
): Promise<Result> {
  const { store, manager, task, uuid = crypto.randomUUID(), now = Date.now } = options;
  const thread = { taskKeyText: task.taskKeyText, host: task.host };
  const startedAt = now();
  const inherited = await manager.getInheritanceContext(thread);
  const { journal, finalSummary } = await store.open({
    config: {},
    extra: {},
    ...task,
    uuid,
    inheritedFromUuid: inherited?.inheritedFromUuid ?? null,
    inheritanceDepth: inherited?.inheritanceDepth ?? 0,
  });
  const file = async (
    end: Pick<Parameters<typeof journal.finish>[0], 'status' | 'reason'>,
    usage: MemoryUsage,
  ) => {
    const statistics = { ...usage, modelCalls: 0, toolCalls: 0, durationMs: Math.max(0, now() - startedAt) };
    await journal.finish({ ...end, finalText: null, statistics });
    await store.finish(uuid);
    manager.forget(thread);
  };
  const append = async (...messages: readonly Message[]) => {
    for (const message of messages)
      await journal.append({ type: 'message', message, usage: null, delivers: [] });
  };
  try {
    const inheritedPrompt = inherited === null ? '' : manager.createInheritedPrompt(inherited);
    const {
      result,
      summary,
      keyDecisions = [],
      usage = nothing,
    } = await work({
      uuid,
      inheritedPrompt,
      inherited,
      append,
    });
    if (summary !== null && summary.trim() !== '') {
      const fields = { key_decisions: keyDecisions.map(toDecisionLine) };
      await finalSummary.append({ text: summary, fields, usage }, { now: now() });
    }
    await file({ status: 'completed', reason: null }, usage);
    return result;
  } catch (error) {
    // What keeps a failed run from being filed is told by the store when it is opened next; the cause comes first.
    await file({ status: 'failed', reason: 'error' }, nothing).catch(() => undefined);
    throw error;
  }
}
