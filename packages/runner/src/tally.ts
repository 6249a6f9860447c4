import type { ModelMessage, ToolCallPart } from 'ai';
import type { OpeningCost, RunStatistics, TokenUsage } from './model.ts';
import type { ReplayedJournal } from './replay-journal.ts';
import { addUsage, nothingUsed } from './usage.ts';

/** The client's tool calls that an assistant's message makes; none for every other message. */
export function listToolCalls(message: ModelMessage): readonly ToolCallPart[] {
  if (message.role !== 'assistant' || typeof message.content === 'string') return [];
  return message.content.filter(
    (part): part is ToolCallPart => part.type === 'tool-call' && part.providerExecuted !== true,
  );
}

/** Counts what a run spends, the same way while it runs and when it is read back. */
export class Tally {
  #modelCalls = 0;
  #toolCalls = 0;
  #usage = nothingUsed;
  #earlierMs = 0;
  #restedMs = 0;
  readonly #now: () => number;
  readonly #startedAt: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#startedAt = now();
  }

  /** Takes over what an earlier process counted. */
  addEarlierMs(milliseconds: number): void {
    this.#earlierMs = Math.max(this.#earlierMs, milliseconds);
  }

  /** Leaves out time in which the run could do nothing. */
  addRest(milliseconds: number): void {
    this.#restedMs += milliseconds;
  }

  /** Takes over all that a journal tells. */
  countReplayed({ entries, summaries, activeMs, spent }: ReplayedJournal): void {
    this.addEarlierMs(activeMs);
    if (spent !== null) this.addSpent(spent);
    for (const { message, usage } of entries) this.count(message, usage);
    for (const { usage } of summaries) if (usage) this.count({ role: 'user', content: '' }, usage);
  }

  addSpent({ modelCalls, toolCalls, ...usage }: OpeningCost): void {
    this.#modelCalls += modelCalls;
    this.#toolCalls += toolCalls;
    this.#usage = addUsage(this.#usage, usage);
  }

  count(message: ModelMessage, usage: TokenUsage | null): void {
    if (usage === null) return;
    this.#modelCalls += 1;
    this.#usage = addUsage(this.#usage, usage);
    this.#toolCalls += listToolCalls(message).length;
  }

  statistics(): RunStatistics {
    return {
      modelCalls: this.#modelCalls,
      toolCalls: this.#toolCalls,
      ...this.#usage,
      durationMs: Math.max(0, Math.round(this.#earlierMs + this.#now() - this.#startedAt - this.#restedMs)),
    };
  }
}
