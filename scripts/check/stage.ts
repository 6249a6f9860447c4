/** How much of a stage passed. Stages without tests count as one. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/** One step of `npm test`. */
export interface Stage {
  readonly title: string;
  readonly run: () => Promise<Tally>;
}

/** What a stage's exit code says. */
export function tallyExitCode(exitCode: number): Tally {
  return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** The sum over all stages. */
export function addTallies(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, tally) => ({ passed: sum.passed + tally.passed, failed: sum.failed + tally.failed }),
    { passed: 0, failed: 0 },
  );
}
