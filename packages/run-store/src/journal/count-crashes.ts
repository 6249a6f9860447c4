import type { FactEntry, Json, MessageLike } from '../journal-model.ts';

interface Part {
  readonly type?: unknown;
  readonly providerExecuted?: unknown;
}

/** A message, as far as steps are counted by it. */
interface CountedMessage {
  readonly message: MessageLike;
  readonly usage?: object | null;
}

/**
 * Tells whether a step was completed in these messages: an answer of the model with the results of all the
 * tools it calls. Every answer but the last has them: the model is not asked again before. Reads no more than the last
 * two answers.
 */
function hasCompletedStep(messages: readonly (() => CountedMessage)[]): boolean {
  let [answers, results] = [0, 0];
  for (const read of messages.toReversed()) {
    const { message, usage } = read();
    if (message.role === 'tool') results += countParts(message, isResult);
    if (message.role !== 'assistant' || !usage) continue;
    answers += 1;
    if (answers === 2 || countParts(message, isCall) <= results) return true;
  }
  return false;
}

function countParts({ content }: MessageLike, isCounted: (part: Part) => boolean): number {
  return Array.isArray(content) ? (content as Part[]).filter(isCounted).length : 0;
}

function isCall({ type, providerExecuted }: Part): boolean {
  return type === 'tool-call' && providerExecuted !== true;
}

function isResult({ type }: Part): boolean {
  return type === 'tool-result';
}

/** Follows a record, and knows how the processes that carried the run came to their end. @see decision X16 */
export interface CrashCounter {
  /** Takes what reads a message: few are asked for. */
  readonly addMessage: (read: () => CountedMessage) => void;
  readonly addFact: (fact: FactEntry) => void;
  /** Processes in a row that died with this run, without a step completed between them. */
  readonly crashesInARow: () => number;
}

/** A process that gave the run back in order is not counted; a pause ends a row, as a step that was completed does. */
export function createCrashCounter(): CrashCounter {
  let sinceOpened: (() => CountedMessage)[] = [];
  let [row, isLeft] = [0, false];
  const readers: Readonly<Record<string, (data: Json) => void>> = {
    owned: (data) => {
      if (hasCompletedStep(sinceOpened)) row = 0;
      row += isLeft || (data as object as Opening).own ? 0 : 1;
      sinceOpened = [];
      isLeft = false;
    },
    left: () => {
      isLeft = true;
    },
    paused: () => {
      row = 0;
      isLeft = true;
    },
    // By a process that goes on with it, or takes back a pause that failed.
    resumed: () => {
      isLeft = false;
    },
  };
  return {
    addMessage: (read) => void sinceOpened.push(read),
    addFact: ({ name, data }) => readers[name]?.(data),
    crashesInARow: () => row,
  };
}

/** Data of a fact that a process opened a run. */
interface Opening {
  /** True for one that had it open already. */
  readonly own: boolean;
}
