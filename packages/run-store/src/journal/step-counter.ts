import type { MessageEntry, MessageLike } from '../journal-model.ts';

interface Part {
  readonly type?: unknown;
  readonly providerExecuted?: unknown;
}

/** Follows a journal, and knows the last step of the run that was carried out to its end. */
export interface StepCounter {
  readonly add: (entry: MessageEntry<MessageLike>) => void;
  /** Number of the answer that began the last completed step; 0 before the first. */
  readonly lastStepSeq: () => number;
}

/**
 * A step is an answer of the model with the results of all the tools it calls. Every answer but the last has
 * them: the model is not asked again before.
 */
export function createStepCounter(): StepCounter {
  let previous = 0;
  let last = 0;
  let openCalls = 0;
  return {
    add: ({ seq, message, usage }) => {
      if (message.role === 'tool') openCalls -= countParts(message, isResult);
      if (message.role !== 'assistant' || usage === null) return;
      previous = last;
      last = seq;
      openCalls = countParts(message, isCall);
    },
    lastStepSeq: () => (openCalls > 0 ? previous : last),
  };
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
