import type { ModelMessage, ToolModelMessage } from 'ai';

type ResultPart = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>;

/** A tool that failed in several turns in a row. */
export interface FailingTool {
  readonly tool: string;
  /** Turns in a row. */
  readonly times: number;
  readonly lastError: string;
}

/** Mark of a result as a refusal: the call was not one that may be made, so that it says nothing of the tool. */
export const refusal = { agentRunner: { refused: true } } as const;

/**
 * Remembers, per tool, in how many turns in a row it failed. Several calls of one answer fail as one: the model has
 * not seen the first error when it makes the second. A success begins anew.
 */
export class ToolFailures {
  readonly #failing = new Map<string, FailingTool>();
  readonly #inThisTurn = new Set<string>();

  /** Learns from a message: an assistant's begins a turn, a tool's says how its calls went. */
  record(message: ModelMessage): void {
    if (message.role === 'assistant') this.#inThisTurn.clear();
    if (message.role !== 'tool') return;
    for (const part of message.content) if (part.type === 'tool-result') this.#recordResult(part);
  }

  /** In how many turns in a row the tool will have failed, should its next call fail. */
  countNext(tool: string): number {
    return this.#count(tool) + (this.#inThisTurn.has(tool) ? 0 : 1);
  }

  /** A tool that failed in at least so many turns in a row. */
  findExhausted(maxFailures: number): FailingTool | null {
    return [...this.#failing.values()].find(({ times }) => times >= maxFailures) ?? null;
  }

  #count(tool: string): number {
    return this.#failing.get(tool)?.times ?? 0;
  }

  #recordResult({ toolName: tool, output, providerOptions }: ResultPart): void {
    if (providerOptions?.agentRunner?.refused === true) return;
    if (output.type !== 'error-text' && output.type !== 'error-json') {
      this.#failing.delete(tool);
      this.#inThisTurn.delete(tool);
      return;
    }
    const lastError = output.type === 'error-text' ? output.value : JSON.stringify(output.value);
    this.#failing.set(tool, { tool, times: this.countNext(tool), lastError });
    this.#inThisTurn.add(tool);
  }
}
