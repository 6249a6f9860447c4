import { createHash } from 'node:crypto';
import { unwrapToolOutput } from '@agent/text';
import type { ModelMessage, ToolModelMessage } from 'ai';
import { listToolCalls } from './tally.ts';

export type ResultPart = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>;

/** A tool that failed in several turns in a row. */
interface FailingTool {
  readonly tool: string;
  /** Turns in a row. */
  readonly times: number;
  readonly lastError: string;
}

/** Marks of a result, which no provider reads. */
interface ResultMarks {
  /** The call was not one that may be made, so that it says nothing of the tool. */
  readonly refused?: boolean | undefined;
  /** Nobody knows what became of the call. */
  readonly interrupted?: boolean | undefined;
  /** Reason of a call that was carried out and whose work failed, such as `exit code 1`. */
  readonly failure?: string | undefined;
}

/** Puts marks on a result; nothing where there are none. */
export function markResult(marks: ResultMarks): {
  providerOptions?: { agentRunner: Record<string, string | boolean> };
} {
  const set = Object.entries(marks).filter(([, mark]) => mark !== undefined && mark !== false);
  return set.length === 0 ? {} : { providerOptions: { agentRunner: Object.fromEntries(set) } };
}

/** Result of a call as its message tells it. */
export interface CallResult {
  readonly tool: string;
  /** `unmade`: it was none that may be made, or was interrupted, so that it says nothing of the tool. */
  readonly status: 'success' | 'failure' | 'unmade';
  /** Error of a failure; empty for the rest. */
  readonly detail: string;
}

/** Reads how a call went from its result. Work that failed is a failure, although the call was carried out. */
export function readResult({ toolName: tool, output, providerOptions }: ResultPart): CallResult {
  const { refused, interrupted, failure } = (providerOptions?.agentRunner ?? {}) as ResultMarks;
  if (refused === true || interrupted === true) return { tool, status: 'unmade', detail: '' };
  if (typeof failure === 'string') return { tool, status: 'failure', detail: failure };
  const error = readError(output);
  return error === null
    ? { tool, status: 'success', detail: '' }
    : { tool, status: 'failure', detail: error };
}

/** Error of a call as people are told it, without the envelope that the model sees it in; null for a success. */
function readError(output: ResultPart['output']): string | null {
  if (output.type === 'error-text') return unwrapToolOutput(output.value).trim();
  return output.type === 'error-json' ? JSON.stringify(output.value) : null;
}

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
    // Work that failed, such as a command's, is no failure of the tool.
    const lastError = readError(output);
    if (lastError === null) {
      this.#failing.delete(tool);
      this.#inThisTurn.delete(tool);
      return;
    }
    this.#failing.set(tool, { tool, times: this.countNext(tool), lastError });
    this.#inThisTurn.add(tool);
  }
}

/** A call that was made again and again with the same result. */
interface RepeatedCall {
  readonly tool: string;
  readonly times: number;
}

/** Asks a model that repeats itself what it is about; the beginning by which the question is known again. */
const questionStart = 'You have made the same call';

export function formatRepetitionQuestion({ tool, times }: RepeatedCall): string {
  return `${questionStart} of "${tool}" ${times} times in a row, and its result was the same each time. Making it again changes nothing: do something else, or say in words what keeps you from continuing.`;
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
        if (part.type !== 'tool-result') continue;
        const call = this.#open.shift();
        // What became of it nobody knows: that says nothing of the next one.
        if (part.providerOptions?.agentRunner?.interrupted === true) continue;
        this.#recordResult(part.toolName, `${call}\n${JSON.stringify(part.output)}`);
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

  #recordResult(tool: string, made: string): void {
    // Results come in the order of their calls.
    const call = createHash('sha256').update(made).digest('base64');
    if (call === this.#last) {
      this.#call = { tool, times: this.#call.times + 1 };
      return;
    }
    this.#last = call;
    this.#call = { tool, times: 1 };
    this.#isAsked = false;
  }
}
