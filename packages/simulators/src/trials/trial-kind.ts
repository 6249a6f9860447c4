import type { SourceChange } from './plant.ts';
import type { FailingTest } from './play-test.ts';

/** Values of the options that a kind declares, by name; undefined if an option is not on the command line. */
export type TrialOptions = Readonly<Record<string, string | undefined>>;

/** Result of one trial, judged. */
export interface TrialVerdict {
  /** What was done, in one line. */
  readonly told: string;
  /** Broken promises; empty if all were kept. */
  readonly findings: readonly string[];
  /** Figures that the summary adds up, by title. */
  readonly counts?: Readonly<Record<string, number>>;
  /** Times in milliseconds, whose percentiles the summary prints, by title. */
  readonly times?: Readonly<Record<string, readonly number[]>>;
  /** Evidence and logs, written to the trace of a failure. Default none. */
  readonly trace?: string;
  /** Why this machine cannot play the trial. Default null: it was played. */
  readonly missing?: string | null;
}

/** A fault in our sources that the judge of a kind has to find. */
export interface SeededBug<Trial> {
  readonly name: string;
  /** Behavior with the fault: "reserves nothing". */
  readonly does: string;
  /** Empty if the trials alone make the fault. */
  readonly changes: readonly SourceChange[];
  /** Trials played in this order until one shows the fault. */
  readonly trials: () => readonly Trial[];
  /** Each is part of a finding of the same trial. */
  readonly finds: readonly (string | RegExp)[];
  /** Test that fails with the fault. Default none. */
  readonly test?: FailingTest;
}

/** Trials of a kind, ready to be played. */
export interface OpenTrials<Trial> {
  /** Everything about a trial follows from its seed and the options. */
  readonly draw: (seed: number) => Trial | Promise<Trial>;
  readonly play: (trial: Trial) => Promise<TrialVerdict>;
  readonly close: () => Promise<void>;
}

/** Verdicts of all trials together. */
export type JudgeAll = (verdicts: readonly TrialVerdict[]) => readonly string[];

/** A kind of trial for `npm run trial`. */
export interface TrialKind<Trial> {
  /** Describes the trials and each option, for `--help`. */
  readonly help: string;
  /** Names of options, each with a value. Default none. */
  readonly options?: readonly string[];
  /** What the number on the command line counts. Default trials. */
  readonly unit?: string;
  /** Units in one trial. Default 1. */
  readonly unitsPerTrial?: (options: TrialOptions) => number;
  /** Units and trials at once if the command line names none. */
  readonly defaults: { readonly units: number; readonly parallel: number };
  /** True if the code under test runs in the process of the trial, and not only in processes that it starts. Default false. */
  readonly isInProcess?: boolean;
  /** Trials at once that look for a seeded bug. Default 1. */
  readonly bugTrialsAtOnce?: number;
  /** Prepares databases and programs. With a seeded bug, programs run from the sources. */
  readonly open: (options: TrialOptions, seeded: { readonly hasBug: boolean }) => Promise<OpenTrials<Trial>>;
  /** Finds what no single trial shows. Default nothing. */
  readonly judgeAll?: JudgeAll;
  readonly bugs: readonly SeededBug<Trial>[];
}

/** Why trials cannot be played: `usage` is a mistake on the command line, `not_shown` something that this machine lacks. */
export class TrialError extends Error {
  readonly code: 'usage' | 'not_shown';

  constructor(message: string, { code }: { readonly code: TrialError['code'] }) {
    super(message);
    this.name = 'TrialError';
    this.code = code;
  }
}

/**
 * Reads a number of the command line.
 *
 * @param least smallest number that is accepted, default 1
 * @throws TrialError that names the option if the text is not a whole number, or less
 */
export function readCount(
  text: string,
  name: string,
  { least = 1 }: { readonly least?: number } = {},
): number {
  const count = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(count) && count >= least) return count;
  throw new TrialError(`${name} must be a whole number of at least ${least}, not "${text}"`, {
    code: 'usage',
  });
}

/**
 * Reads an option that takes one of several names.
 *
 * @throws TrialError that names the option and the values it takes
 */
export function readChoice<Name extends string>(
  text: string | undefined,
  name: string,
  choices: readonly Name[],
): Name | undefined {
  const found = choices.find((choice) => choice === text);
  if (text === undefined || found !== undefined) return found;
  throw new TrialError(`${name} must be one of ${choices.join(', ')}, not "${text}"`, { code: 'usage' });
}
