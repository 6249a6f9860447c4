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
  outputHeading: 'The end of its output:',
  /** Said at once when a set-up fails, and the run goes on. */
  failed: ({ command, failure }: Failure) =>
    `⚠️ **The set-up of this repository failed**: ${command} (${failure}). The agent goes on without it, so tests may not run.`,
  /** Reason of a run that ends with its set-up. */
  ended: ({ command, failure }: Failure) => `The set-up of this repository failed: ${command} (${failure}).`,
};

/** Words for the model, which reads English. */
export const forModel = {
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
