import { toText } from '../ending.ts';
import { type CallResult, readResult } from '../fruitless-calls.ts';
import { readLostAnswer } from '../lost-answer.ts';
import type { WorkLine } from '../replay-journal.ts';
import { listToolCalls } from '../tally.ts';
import type { WrittenAnswer } from './answers/read-answer.ts';
import type { PlanningFact } from './model.ts';
import { parseFact } from './parse-fact.ts';
import { applyFact, noPlanningState, type PlanningState } from './planning-state.ts';

type MessageLine = Extract<WorkLine, { type: 'message' }>;

/** Answers to one request, and the calls on the way to them. */
export interface Exchange {
  /** Final answers since the request, the last one last, and behind them those in a row that were of no use. */
  readonly answers: readonly WrittenAnswer[];
  /** True where the last line is one of them, so that nothing was said since. */
  readonly isAnswered: boolean;
  /** Results of the calls that were made for it, in their order. */
  readonly results: readonly CallResult[];
}

/** A plan as its journal tells it: the standing, and what was said since the last fact. */
export class PlanLog {
  #state = noPlanningState;
  #tail: MessageLine[] = [];
  #isHeard = false;
  #unread = 0;

  get state(): PlanningState {
    return this.#state;
  }

  /** True where comments were delivered to a plan that was not considered anew since. */
  get isHeard(): boolean {
    return this.#isHeard;
  }

  /** Lines about the plan that say nothing. */
  get unread(): number {
    return this.#unread;
  }

  /** True where comments were delivered since the last fact. */
  get hasDelivery(): boolean {
    return this.#tail.some(({ delivers }) => delivers);
  }

  /** Takes a line of the run's own work, in the order of the journal. */
  take(line: WorkLine): void {
    if (line.type === 'message') {
      this.#tail.push(line);
      if (line.delivers && this.#state.plan !== null) this.#isHeard = true;
      return;
    }
    const fact = parseFact(line.data);
    if (fact === null) {
      this.#unread += 1;
      return;
    }
    this.#state = applyFact(this.#state, fact);
    this.#tail = [];
    if (considers(fact)) this.#isHeard = false;
  }

  /** Finds what came of the request of this first line; null where it was not made since the last fact. */
  findExchange(firstLine: string): Exchange | null {
    const start = this.#tail.findIndex((line) => isRequest(line, firstLine));
    if (start === -1) return null;
    const after = this.#tail.slice(start + 1);
    const said = after.findLastIndex(({ message }) => message.role === 'assistant') + 1;
    const last = after.at(-1);
    return {
      answers: [
        ...after.filter(isFinal).map(({ message }) => toText(message)),
        ...after
          .slice(said)
          .filter(isLost)
          .map(({ message }) => ({ lost: readLostAnswer(toText(message)) })),
      ],
      isAnswered: last !== undefined && (isFinal(last) || isLost(last)),
      results: after.flatMap(({ message }) => (message.role === 'tool' ? toResults(message.content) : [])),
    };
  }
}

/** Facts after which what people said is taken into account. */
function considers(fact: PlanningFact): boolean {
  const { type } = fact;
  if (type === 'approval') return fact.state === 'given';
  return type === 'plan' || type === 'reflection' || type === 'revision' || type === 'loop_mode';
}

function isRequest({ message, delivers }: MessageLine, firstLine: string): boolean {
  const { role, content } = message;
  return (
    !delivers && role === 'user' && typeof content === 'string' && content.split('\n', 1)[0] === firstLine
  );
}

function isFinal({ message, answers }: MessageLine): boolean {
  return answers && message.role === 'assistant' && listToolCalls(message).length === 0;
}

/** The place of an answer that was of no use is taken by the request for another one. */
function isLost({ message, answers }: MessageLine): boolean {
  return answers && message.role === 'user';
}

function toResults(content: readonly { readonly type: string }[]): readonly CallResult[] {
  return content.flatMap((part) =>
    part.type === 'tool-result' ? [readResult(part as Parameters<typeof readResult>[0])] : [],
  );
}
