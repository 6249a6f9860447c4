interface HeldThread extends Readonly<Record<'thread' | 'holder', string>> {
  readonly why?: 'elsewhere' | 'unshown' | 'at-work';
}

/** A run has the thread, or claims it from another directory: none is begun here as long as it does. */
export class ThreadHeldError extends Error {
  /** `why`: default `elsewhere`, a run of another directory. */
  constructor({ thread, holder, why = 'elsewhere' }: HeldThread) {
    const reasons = {
      elsewhere: `to run ${holder} of another directory, which has claimed it`,
      unshown: `until the end of run ${holder} is shown, which answered the same request`,
      'at-work': `until run ${holder} of the same task is at rest`,
    };
    super(`${thread} is left ${reasons[why]}.`);
    this.name = 'ThreadHeldError';
  }
}
