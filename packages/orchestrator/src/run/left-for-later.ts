/**
 * Says that a run cannot go on now, though nothing is wrong with it: the platform did not answer or asked to wait, or
 * the disk did not take its end.
 * The run stays in `running/` and its thread stays taken; `again` goes on with it, in this process or by the next start.
 */
export class DeferredError extends Error {
  readonly again: () => Promise<void>;

  constructor(again: () => Promise<void>, options: ErrorOptions = {}) {
    super('The run cannot go on now. It is kept and goes on later.', options);
    this.name = 'DeferredError';
    this.again = again;
  }
}
