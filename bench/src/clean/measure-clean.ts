import vm from 'node:vm';
import { findMedian } from '../statistics.ts';

/** How long a round took, in milliseconds. */
export interface RoundTime {
  readonly byClock: number;
  /** What the processor worked for the thread: waiting for it is not in it. */
  readonly byProcessor: number;
}

/** Medians of some rounds, and the fastest of them, which whoever shares the machine has slowed down least. */
export interface CleanTime extends RoundTime {
  readonly fastest: number;
}

/** Some rounds, after one that is not counted. */
export function measureClean(text: string, clean: (text: string) => unknown, rounds: number): CleanTime {
  clean(text);
  const times = Array.from({ length: rounds }, () => measureOnce(text, clean));
  return {
    byClock: findMedian(times.map(({ byClock }) => byClock)),
    byProcessor: findMedian(times.map(({ byProcessor }) => byProcessor)),
    fastest: Math.min(...times.map(({ byProcessor }) => byProcessor)),
  };
}

/** One round; null when it takes longer than that and is stopped. */
export function measureWithin(
  text: string,
  clean: (text: string) => unknown,
  limitMs: number,
): RoundTime | null {
  try {
    return vm.runInNewContext('measure()', { measure: () => measureOnce(text, clean) }, { timeout: limitMs });
  } catch (error) {
    // The error comes from the context: it is no instance of our own Error.
    const isStopped = typeof error === 'object' && error !== null && 'code' in error;
    if (isStopped && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
    throw error;
  }
}

function measureOnce(text: string, clean: (text: string) => unknown): RoundTime {
  const processor = process.threadCpuUsage();
  const start = performance.now();
  clean(text);
  const byClock = performance.now() - start;
  const { user, system } = process.threadCpuUsage(processor);
  return { byClock, byProcessor: (user + system) / 1_000 };
}
