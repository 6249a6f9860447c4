import { findMedian } from '../statistics.ts';

/** What the processor worked for this thread, in milliseconds: whoever else uses the machine is not in it. */
export async function measureProcessor(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

export interface BatchOptions {
  readonly batches: number;
  /** A batch goes on for so long at least: the kernel counts in ticks of up to 10 ms. */
  readonly batchMs: number;
  /** Gives milliseconds. Default: processor time. */
  readonly measure?: (work: () => unknown) => Promise<number>;
}

/** The median time of one call, over batches; the first batch is not counted. */
export async function measureBatches(
  work: () => unknown,
  { batches, batchMs, measure = measureProcessor }: BatchOptions,
): Promise<number> {
  const times: number[] = [];
  for (let batch = 0; batch <= batches; batch += 1) {
    let calls = 0;
    let time = 0;
    while (time < batchMs) {
      const count = Math.max(1, calls);
      time += await measure(async () => {
        for (let call = 0; call < count; call += 1) await work();
      });
      calls += count;
    }
    times.push(time / calls);
  }
  return findMedian(times.slice(1));
}
