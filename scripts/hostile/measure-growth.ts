/** How the time of a function grows with its text. */
export interface Growth {
  /** Processor time for the longer text, milliseconds. */
  readonly longMs: number;
  /** How many times as long the longer text takes; 0 where it takes too little to tell. */
  readonly factor: number;
}

export interface GrowthOptions {
  /** UTF-16 units. */
  readonly short: number;
  readonly long: number;
  readonly rounds: number;
}

/** Less than this is the noise of a machine that others use. */
const leastMs = 2;

/** The fastest of some rounds: whoever shares the machine can only slow them down. */
export async function measureGrowth(
  run: (text: string) => unknown,
  make: (length: number) => string,
  { short, long, rounds }: GrowthOptions,
): Promise<Growth> {
  const shortMs = await measureFastest(run, make(short), rounds);
  const longMs = await measureFastest(run, make(long), rounds);
  return { longMs, factor: longMs < leastMs ? 0 : longMs / Math.max(shortMs, leastMs * (short / long)) };
}

/** Processor time of the fastest of some rounds, milliseconds. */
async function measureFastest(run: (text: string) => unknown, text: string, rounds: number): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const before = process.threadCpuUsage();
    await run(text);
    const { user, system } = process.threadCpuUsage(before);
    fastest = Math.min(fastest, (user + system) / 1_000);
  }
  return fastest;
}
