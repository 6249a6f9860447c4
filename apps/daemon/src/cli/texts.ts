import type { DirectoryOwner } from './read-owner.ts';

/** What `pause`, `resume`, `stop`, `status` and `show` say, in one language. */
export interface CliTexts {
  readonly pausedAll: (file: string) => string;
  readonly resumedAll: (file: string) => string;
  readonly nothingToResume: (file: string) => string;
  readonly asked: Readonly<Record<'pause' | 'resume' | 'stop' | 'retry', (task: string) => string>>;
  readonly owned: (owner: DirectoryOwner) => string;
  readonly notOwned: string;
  readonly pauseIsOff: string;
  readonly taskOrAll: string;
  readonly taskNeeded: string;
  readonly nothingRuns: string;
  readonly unknownTask: (given: string) => string;
  readonly ambiguousTask: (given: string) => string;
  readonly candidates: string;
  readonly noCandidates: string;
  readonly hasEnded: (task: string, status: string) => string;
  readonly cannotBeRetried: (task: string, status: string) => string;
  readonly isRunning: (task: string) => string;
  readonly isPaused: (task: string) => string;
  readonly signalled: (file: string) => string;
  readonly headings: readonly [task: string, state: string, since: string, id: string, title: string];
  readonly states: Readonly<Record<string, string>>;
  /** So many questions to the model. */
  readonly step: (step: number) => string;
  readonly queued: (
    count: number,
    hold: { readonly reason: string; readonly duration: string } | null,
  ) => string;
  readonly notAsked: (reason: string) => string;
  readonly noneMatch: string;
  readonly noRuns: string;
  readonly damaged: (name: string, reason: string) => string;
  /** A part that the work rests on and that cannot be relied on: `platform:github`, `model`, `disk`. */
  readonly notWell: (part: string, how: { readonly reason: string; readonly since: string }) => string;
  readonly since: (duration: string) => string;
  readonly summaryOf: (from: number, to: number) => string;
  readonly delivered: (count: number) => string;
  readonly tokens: (input: number, output: number) => string;
  readonly toolStarted: string;
  /** Of a tool that was called so often to get ready; not at all where it was refused. */
  readonly prepared: (calls: number) => string;
  readonly notEnded: string;
  readonly outcome: string;
  readonly statistics: (counts: {
    readonly modelCalls: number;
    readonly toolCalls: number;
    readonly tokens: number;
    readonly duration: string;
  }) => string;
}
