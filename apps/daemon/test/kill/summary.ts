/** What became of one trial. */
export interface TrialVerdict {
  /** What was done, for people. */
  readonly told: string;
  /** What did not hold. Empty: all is well. */
  readonly broken: readonly string[];
  /** What the processes printed last, where something did not hold. */
  readonly output: string;
}

export interface NamedTrial {
  /** Of its class. */
  readonly name: string;
  readonly seed: number;
  readonly verdict: TrialVerdict;
  readonly durationMs: number;
}

/** One line for a trial that went well; what did not hold below it otherwise. */
export function formatTrial({ name, seed, verdict: { told, broken }, durationMs }: NamedTrial): string {
  const head = `${broken.length === 0 ? 'ok  ' : 'FAIL'} ${name} ${seed}, ${(durationMs / 1000).toFixed(1)} s: ${told}`;
  return [head, ...shorten(broken).map((line) => `  ${line}`)].join('\n');
}

const shownLines = 8;

function shorten(lines: readonly string[]): readonly string[] {
  const more = lines.length - shownLines;
  return more <= 0 ? lines : [...lines.slice(0, shownLines), `and ${more} more`];
}

/** The report of all trials; its last line is `N passed, N failed`. */
export function formatSummary(trials: readonly NamedTrial[]): string {
  const failed = trials.filter(({ verdict }) => verdict.broken.length > 0);
  const byClass = [...new Set(trials.map(({ name }) => name))].sort().map((name) => {
    const own = trials.filter((trial) => trial.name === name);
    return `  ${name}: ${own.length} trials, ${own.filter((trial) => failed.includes(trial)).length} failed`;
  });
  return [
    '',
    ...failed.flatMap(({ name, seed, verdict: { told, broken, output } }) => [
      `FAILED, repeat it with: npm run test:kill -- 1 --only ${name} --seed ${seed}`,
      told,
      ...shorten(broken),
      output,
      '',
    ]),
    ...byClass,
    `${trials.length - failed.length} passed, ${failed.length} failed`,
  ].join('\n');
}
