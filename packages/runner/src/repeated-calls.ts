import { createHash } from 'node:crypto';
import type { ModelMessage } from 'ai';
import { listToolCalls } from './tally.ts';

/** A call that was made again and again with the same result. */
export interface RepeatedCall {
  readonly tool: string;
  readonly times: number;
}

/** Asks a model that repeats itself what it is about; the beginning by which the question is known again. */
const questionStart = 'You have made the same call';

export function formatRepetitionQuestion({ tool, times }: RepeatedCall): string {
  return `${questionStart} of "${tool}" ${times} times in a row, and its result was the same each time. Making it again changes nothing: do something else, or say in words what keeps you from going on.`;
}

/** Counts how often the last call was made in a row, with the same arguments and the same result. */
export class RepeatedCalls {
  #open: string[] = [];
  #last = '';
  #call: RepeatedCall = { tool: '', times: 0 };
  #isAsked = false;

  record(message: ModelMessage): void {
    if (message.role === 'assistant') {
      this.#open = listToolCalls(message).map(({ toolName, input }) => JSON.stringify([toolName, input]));
    } else if (message.role === 'user') {
      this.#isAsked ||= typeof message.content === 'string' && message.content.startsWith(questionStart);
    } else if (message.role === 'tool') {
      for (const part of message.content) {
        if (part.type === 'tool-result') this.#recordResult(part.toolName, JSON.stringify(part.output));
      }
    }
  }

  /** `ask` once for each row of so many; `end` when it went on as long again. */
  judge(maxSameCalls: number): { readonly kind: 'go' | 'ask' | 'end'; readonly call: RepeatedCall } {
    const { times } = this.#call;
    if (times < maxSameCalls) return { kind: 'go', call: this.#call };
    if (!this.#isAsked) return { kind: 'ask', call: this.#call };
    return { kind: times >= 2 * maxSameCalls ? 'end' : 'go', call: this.#call };
  }

  #recordResult(tool: string, output: string): void {
    // Results come in the order of their calls.
    const call = createHash('sha256').update(`${this.#open.shift()}\n${output}`).digest('base64');
    if (call === this.#last) {
      this.#call = { tool, times: this.#call.times + 1 };
      return;
    }
    this.#last = call;
    this.#call = { tool, times: 1 };
    this.#isAsked = false;
  }
}
