interface HeldThread extends Readonly<Record<'thread' | 'holder', string>> {
  readonly why?: 'elsewhere' | 'unshown' | 'at-work';
}

/** A run has the thread, or claims it from another directory: none is begun here as long as it does. */
export class ThreadHeldError extends Error {
  /** `why`: default `elsewhere`, a run of another directory. */
  constructor({ thread, holder, why = 'elsewhere' }: HeldThread) {
    const reasons = {
      elsewhere: `run ${holder} of another directory has claimed it`,
      unshown: `run ${holder} answered the same request, and its outcome is not published yet`,
      'at-work': `run ${holder} is working on the same task`,
    };
    super(`${thread} is skipped: ${reasons[why]}.`);
    this.name = 'ThreadHeldError';
  }
}
