import type { FactEntry, MessageEntry, MessageLike } from '../journal-model.ts';

interface Part {
  readonly type?: unknown;
  readonly providerExecuted?: unknown;
}

/** Follows a journal, and knows the last step of the run that was carried out to its end. */
interface StepCounter {
  readonly add: (entry: Pick<MessageEntry<MessageLike>, 'seq' | 'message' | 'usage'>) => void;
  /** Number of the answer that began the last completed step; 0 before the first. */
  readonly lastStepSeq: () => number;
}

/**
 * A step is an answer of the model with the results of all the tools it calls. Every answer but the last has
 * them: the model is not asked again before.
 */
function createStepCounter(): StepCounter {
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

/** Follows a record, and knows how the processes that carried the run came to their end. @see decision X16 */
export interface CrashCounter {
  readonly addMessage: StepCounter['add'];
  readonly addFact: (fact: FactEntry) => void;
  /** Processes in a row that died with this run, without a step completed between them. */
  readonly crashesInARow: () => number;
}

/** A process that gave the run back in order is not counted; a pause ends a row, as a step that was completed does. */
export function createCrashCounter(): CrashCounter {
  const steps = createStepCounter();
  let [row, lastSeq, openedAtSeq, isLeft] = [0, 0, 0, false];
  const readers: Readonly<Record<string, (data: Opening) => void>> = {
    owned: ({ crashes_in_a_row: counted, own }) => {
      const earlier = steps.lastStepSeq() > openedAtSeq ? 0 : row;
      row = counted ?? earlier + (isLeft || own === true ? 0 : 1);
      openedAtSeq = lastSeq;
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
    addMessage: (entry) => {
      lastSeq = entry.seq;
      steps.add(entry);
    },
    addFact: ({ name, data }) => readers[name]?.(data as Opening),
    crashesInARow: () => row,
  };
}

/** Data of a fact that a process opened a run. */
interface Opening {
  /** True for one that had it open already. */
  readonly own?: boolean;
  /** The count, as an earlier version kept it. */
  readonly crashes_in_a_row?: number;
}
