import type { MissingSubmodule } from '@agent/workspace';

/** Command of a set-up, and the time that it took. */
interface Step {
  readonly command: string;
  readonly seconds: number;
}

/** Set-up that did not succeed. */
interface Failure {
  /** In a code span. */
  readonly command: string;
  /** `exit code 1`, `timeout` … */
  readonly failure: string;
}

/** Submodule that is not there. */
interface Missing {
  /** In a code span. */
  readonly path: string;
  readonly why: string;
}

/** Words about the environment of a repository's commands. */
export const en = {
  heading: '### 🧰 Set-up',
  step: ({ command, seconds }: Step) => `- ${command}: ${seconds} s`,
  restored: '- What an earlier set-up of the same lock files had made was restored; no command ran.',
  failedStep: ({ command, failure }: Failure) => `- ${command}: **failed** (${failure})`,
  problem: (problem: string) =>
    `- The repository's own file does not count, because of a mistake in it: ${problem}`,
  ignored:
    '- The commands that the repository names were not run: there is no sandbox that would keep them in.',
  missing: ({ path, why }: Missing) => `- The submodule ${path} is missing: ${why}.`,
  /** Files in code spans, the first of them. */
  pointers: (paths: string) =>
    `- Files that LFS keeps are pointers only, because their server did not give them or they are too large: ${paths}.`,
  why: {
    address: 'its address is not one that submodules are fetched from',
    'not-allowed': 'it lies on another server, and the configuration does not allow it',
    unnamed: '.gitmodules of the base branch does not name it',
    unavailable: 'its server did not give it, or it is too large',
    'too-large': 'its files take more room than is allowed',
    'too-deep': 'it lies too deep in others, or there are too many',
  } satisfies Record<MissingSubmodule, string>,
  outputHeading: 'The end of its output:',
  /** Said at once when a set-up fails, and the run goes on. */
  failed: ({ command, failure }: Failure) =>
    `⚠️ **The set-up of this repository failed**: ${command} (${failure}). The agent goes on without it, so tests may not run.`,
  /** Reason of a run that ends with its set-up. */
  ended: ({ command, failure }: Failure) => `The set-up of this repository failed: ${command} (${failure}).`,
};

/** Words for the model, which reads English. */
export const forModel = {
  submodules: (paths: string) =>
    `Note by the system that runs you: these submodules of the repository are checked out as plain files, without a repository of their own: ${paths}. What you change in them is not delivered.`,
  lfs: (count: number) =>
    `Note by the system that runs you: files that git LFS keeps were fetched (${count} of them). Read them as you like, but do not change or add files that .gitattributes gives to LFS: changes with such files cannot be committed.`,
  lfsMissing: (paths: string) =>
    `Note by the system that runs you: these files hold pointers of git LFS in the place of their content, which could not be fetched: ${paths}. Leave them as they are. If the task needs them, say in your final answer what you could not do.`,
  missing: (paths: string) =>
    `Note by the system that runs you: these submodules of the repository are missing, and their directories are empty: ${paths}. If the task needs them, say in your final answer what you could not do.`,
  done: (commands: string) =>
    `Note by the system that runs you: the repository was set up before you began. These commands ran without a failure: ${commands}. You need not run them again.`,
  restored: (commands: string) =>
    `Note by the system that runs you: the repository was set up before you began, with what these commands had made for the same lock files: ${commands}. You need not run them again.`,
  failed: ({ command, failure }: Failure) =>
    `Note by the system that runs you: the set-up of this repository failed. ${command} ended with: ${failure}. What it should have installed may be missing. If the task needs it, find out why and try again; if you cannot, say in your final answer what you could not run. This is how it ended:`,
  ignored:
    'Note by the system that runs you: the set-up commands of the repository were not run, because no sandbox keeps them in here.',
  problem: (problem: string) =>
    `Note by the system that runs you: the repository's .agent.yml does not count, because of a mistake in it: ${problem}`,
};
