import type { MissingSubmodule } from '@agent/workspace';

/** Setup command and its duration. */
interface Step {
  readonly command: string;
  readonly seconds: number;
}

/** Failed setup. */
interface Failure {
  /** In a code span. */
  readonly command: string;
  /** `exit code 1`, `timeout` … */
  readonly failure: string;
}

/** Missing submodule. */
interface Missing {
  /** In a code span. */
  readonly path: string;
  readonly why: string;
}

/** Texts about the setup of a repository, in English. */
export const en = {
  heading: '### 🧰 Setup',
  step: ({ command, seconds }: Step) => `- ${command}: ${seconds} s`,
  restored: '- Restored the result of an earlier setup with the same lock files. No command was run.',
  failedStep: ({ command, failure }: Failure) => `- ${command}: **failed** (${failure})`,
  problem: (problem: string) =>
    `- Ignored the repository's own file because it contains an error: ${problem}`,
  ignored: "- Skipped the repository's commands because there is no sandbox to run them in.",
  missing: ({ path, why }: Missing) => `- The submodule ${path} is missing: ${why}.`,
  /** `paths`: code spans of the first files. */
  pointers: (paths: string) =>
    `- These Git LFS files were not downloaded because their server did not provide them or they are too large: ${paths}.`,
  why: {
    address: 'submodules cannot be fetched from its address',
    'not-allowed': 'it is on another server, which the configuration does not allow',
    unnamed: '.gitmodules of the base branch does not list it',
    unavailable: 'its server did not provide it, or it is too large',
    'too-large': 'its files exceed the allowed size',
    'too-deep': 'it is nested too deeply, or there are too many submodules',
  } satisfies Record<MissingSubmodule, string>,
  outputHeading: 'End of the output:',
  /** Posted at once if the setup fails and the run continues. */
  failed: ({ command, failure }: Failure) =>
    `⚠️ **The setup of this repository failed**: ${command} (${failure}). I'm continuing without it, so tests may not run.`,
  /** Reason of a run that fails because of its setup. */
  ended: ({ command, failure }: Failure) => `The setup of this repository failed: ${command} (${failure}).`,
};

/** Notes for the model, in English. */
export const forModel = {
  submodules: (paths: string) =>
    `Note by the system that runs you: these submodules of the repository are checked out as plain files without their own repository: ${paths}. Changes in them are not delivered.`,
  lfs: (count: number) =>
    `Note by the system that runs you: Git LFS files were downloaded (${count} of them). You can read them, but do not change or add files that .gitattributes assigns to LFS: changes with such files cannot be committed.`,
  lfsMissing: (paths: string) =>
    `Note by the system that runs you: these files contain Git LFS pointers instead of their content, which could not be downloaded: ${paths}. Do not change them. If the task needs them, say in your final answer what you could not do.`,
  missing: (paths: string) =>
    `Note by the system that runs you: these submodules of the repository are missing, and their directories are empty: ${paths}. If the task needs them, say in your final answer what you could not do.`,
  done: (commands: string) =>
    `Note by the system that runs you: the repository was set up before you started. These commands succeeded: ${commands}. You do not need to run them again.`,
  restored: (commands: string) =>
    `Note by the system that runs you: the repository was set up before you started, with the result of these commands for the same lock files: ${commands}. You do not need to run them again.`,
  failed: ({ command, failure }: Failure) =>
    `Note by the system that runs you: the setup of this repository failed. ${command} failed with: ${failure}. Dependencies may be missing. If the task needs them, find out why and try again. If you cannot fix it, say in your final answer what you could not run. End of the output:`,
  ignored:
    'Note by the system that runs you: the setup commands of the repository were not run because there is no sandbox to run them in.',
  problem: (problem: string) =>
    `Note by the system that runs you: the repository's .agent.yml is ignored because it contains an error: ${problem}`,
};
