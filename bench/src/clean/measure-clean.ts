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
export async function measureClean(
  text: string,
  clean: (text: string) => unknown,
  rounds: number,
): Promise<CleanTime> {
  await clean(text);
  const times: RoundTime[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await measureRound(text, clean));
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

async function measureRound(text: string, clean: (text: string) => unknown): Promise<RoundTime> {
  const stop = startClocks();
  await clean(text);
  return stop();
}

function measureOnce(text: string, clean: (text: string) => unknown): RoundTime {
  const stop = startClocks();
  clean(text);
  return stop();
}

function startClocks(): () => RoundTime {
  const processor = process.threadCpuUsage();
  const start = performance.now();
  return () => {
    const byClock = performance.now() - start;
    const { user, system } = process.threadCpuUsage(processor);
    return { byClock, byProcessor: (user + system) / 1_000 };
  };
}
