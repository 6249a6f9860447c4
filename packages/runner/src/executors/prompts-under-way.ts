import { z } from 'zod';
import type { TokenUsage } from '../model.ts';
import { countSchema } from './clean-values.ts';
import { AgentFailure, type ExecutorEvent, type TurnEnd } from './executor.ts';
import { readTurnEnd } from './read-answers.ts';

/** Prompts of one turn: it is over once all that it took in are answered. */
export class PromptsUnderWay {
  readonly #onEnd: (end: readonly ExecutorEvent[] | AgentFailure) => void;
  readonly #open = new Set<Promise<unknown>>();
  #end: TurnEnd | null = null;
  #usage: TokenUsage | null = null;

  /** @param onEnd hears of the end of each turn: its usage and why it ended, or why it failed */
  constructor(onEnd: (end: readonly ExecutorEvent[] | AgentFailure) => void) {
    this.#onEnd = onEnd;
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** Waits for the answer to a prompt, which may be a failure and never rejects. @returns whether it was refused by a turn that goes on */
  async follow(answered: Promise<unknown>): Promise<{ readonly isRefused: boolean }> {
    this.#open.add(answered);
    const answer = await answered;
    this.#open.delete(answered);
    const end = answer instanceof AgentFailure ? answer : readTurnEnd(answer);
    const usage = readPromptUsage(answer);
    // Prompts that joined one turn are told the same usage, that of the turn.
    if (usage !== null) this.#usage = toLarger(this.#usage, usage);
    const isFailure = end instanceof AgentFailure;
    if (!isFailure) this.#end = end;
    if (this.isEmpty) this.#finish(isFailure ? end : null);
    return { isRefused: isFailure && !this.isEmpty };
  }

  /** A prompt that came too late for a turn does not undo that turn. */
  #finish(failure: AgentFailure | null): void {
    const [reason, usage] = [this.#end, this.#usage];
    this.#end = null;
    this.#usage = null;
    const told: readonly ExecutorEvent[] = usage === null ? [] : [{ type: 'usage', usage }];
    if (reason !== null) this.#onEnd([...told, { type: 'end', reason }]);
    else if (failure !== null) this.#onEnd(failure);
  }
}

function toLarger(one: TokenUsage | null, other: TokenUsage): TokenUsage {
  if (one === null) return other;
  return one.inputTokens + one.outputTokens > other.inputTokens + other.outputTokens ? one : other;
}

/** Use of a turn, where the agent tells it: a draft of the protocol, else the way of Gemini CLI. */
const promptUsageSchema = z.union([
  z.object({
    usage: z.object({ inputTokens: countSchema, outputTokens: countSchema, cachedReadTokens: countSchema }),
  }),
  z
    .object({
      _meta: z.object({
        quota: z.object({ token_count: z.object({ input_tokens: countSchema, output_tokens: countSchema }) }),
      }),
    })
    .transform(({ _meta }) => {
      const { input_tokens: inputTokens, output_tokens: outputTokens } = _meta.quota.token_count;
      return { usage: { inputTokens, outputTokens, cachedReadTokens: 0 } };
    }),
]);

/** Reads what a turn used; null where the agent does not say. A number that cannot be is none. */
export function readPromptUsage(response: unknown): TokenUsage | null {
  const parsed = promptUsageSchema.safeParse(response);
  if (!parsed.success) return null;
  const { inputTokens, outputTokens, cachedReadTokens } = parsed.data.usage;
  return {
    inputTokens,
    outputTokens,
    ...(cachedReadTokens > 0 ? { cachedInputTokens: cachedReadTokens } : {}),
  };
}
