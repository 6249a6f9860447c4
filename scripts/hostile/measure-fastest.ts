/** Less than this is the noise of a machine that others use, milliseconds. */
export const leastMs = 2;

export interface MeasureOptions {
  readonly text: string;
  readonly rounds: number;
  /** Calls in a round. The clock of the processor may go in steps of 4 ms: many calls tell more than one. */
  readonly repeats: number;
}

/** Processor time of a call in the fastest of some rounds, milliseconds: whoever shares the machine can only slow them down. */
export async function measureFastest(
  run: (text: string) => unknown,
  { text, rounds, repeats }: MeasureOptions,
): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const before = process.threadCpuUsage();
    for (let repeat = 0; repeat < repeats; repeat += 1) await run(text);
    const { user, system } = process.threadCpuUsage(before);
    fastest = Math.min(fastest, (user + system) / 1_000 / repeats);
  }
  return fastest;
}
