import { ErrorEpisodes, type Logger } from '@agent/text';
import type { WorkOnEntry, WorkResult } from '../../task-queue.ts';
import { createBell, type SleepUntil } from './bell.ts';
import { type ClaimedJob, putBack, renewJob, touchJobs } from './held-jobs.ts';
import { expirySeconds, type JobQueue } from './open-boss.ts';

export interface JobsAtWorkOptions {
  readonly open: () => Promise<JobQueue>;
  /** Called when there is room for another one. */
  readonly onRoom: () => void;
  /** Priority of a job that has begun and is not at its end. */
  readonly toPriority: (data: object) => number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: SleepUntil;
  readonly logger?: Logger | null | undefined;
}

interface JobAtWork<Entry> {
  readonly entry: Entry;
  /** Changes when it is renewed. */
  job: ClaimedJob;
  claimedAt: number;
  /** True once another process has it: its result is not ours to write. */
  isLost: boolean;
}

/** Signs of life; three may get lost. */
const touchMs = 3_000;
/** Lets pg-boss keep its tables in order. */
const maintainMs = 300_000;
const renewMs = (expirySeconds * 1_000) / 2;

/** Jobs that this process carries out: it shows that it lives, and writes how they end. */
export class JobsAtWork<Entry extends { readonly key: string }> {
  readonly #options: JobsAtWorkOptions;
  readonly #jobs = new Set<JobAtWork<Entry>>();
  #idle: (() => void)[] = [];

  constructor(options: JobsAtWorkOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#jobs.size;
  }

  readonly has = (id: string): boolean => [...this.#jobs].some(({ job }) => job.id === id);

  readonly entries = (): readonly Entry[] => [...this.#jobs].map(({ entry }) => entry);

  /** Begins to carry out a job; its place is free again once its result is written. */
  begin(
    job: ClaimedJob,
    { entry, workOn }: { readonly entry: Entry; readonly workOn: WorkOnEntry<Entry> },
  ): void {
    const one = { entry, job, claimedAt: this.#options.now(), isLost: false };
    this.#jobs.add(one);
    void this.#carryOut(one, workOn).finally(() => {
      this.#jobs.delete(one);
      this.#options.onRoom();
      if (this.#jobs.size > 0) return;
      const idle = this.#idle;
      this.#idle = [];
      for (const resolve of idle) resolve();
    });
  }

  /** Resolves when nothing runs. */
  readonly whenIdle = (): Promise<void> =>
    this.#jobs.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));

  async #carryOut(one: JobAtWork<Entry>, workOn: WorkOnEntry<Entry>): Promise<void> {
    const { open, logger, now } = this.#options;
    const { key } = one.entry;
    // The clock of the database may be ahead.
    const waitedMs = Math.max(0, now() - one.job.startAfter.getTime());
    try {
      const result = await workOn(one.entry, { waitedMs }).catch((error: unknown) => {
        logger?.error({ entry: key, err: error }, 'failed to run queue entry; offering it again');
        return 'later' as const;
      });
      const queue = await open();
      if (!one.isLost) await this.#end(queue, { job: one.job, result });
    } catch (error) {
      // Without a sign of life it is offered again.
      logger?.error({ entry: key, err: error }, 'failed to finish queue entry');
    }
  }

  async #end(
    queue: JobQueue,
    { job, result }: { readonly job: ClaimedJob; readonly result: WorkResult },
  ): Promise<void> {
    const { boss, name, database } = queue;
    const reason = 'left for later';
    if (result === 'done') await boss.complete(name, job);
    else if (result === 'later') await boss.fail(name, job, { reason });
    else {
      const priority = this.#options.toPriority(job.data);
      const back = { job, afterMs: result.againAfterMs, priority, reason };
      await database.transaction((transaction) => putBack(queue, back, transaction));
    }
  }

  /** Looks after the jobs until its end. */
  tend(): { readonly end: () => Promise<void> } {
    const ending = new AbortController();
    const bell = createBell(this.#options.sleep);
    const tending = this.#tend(ending.signal, bell.wait);
    return {
      end: async () => {
        ending.abort();
        await tending;
      },
    };
  }

  async #tend(ending: AbortSignal, sleep: SleepUntil): Promise<void> {
    const { open, now, logger } = this.#options;
    const episodes = new ErrorEpisodes({ now });
    let maintainedAt = now();
    for (;;) {
      await sleep(touchMs, ending);
      if (ending.aborted) return;
      try {
        const queue = await open();
        await this.#touch(queue);
        episodes.end('');
        if (now() - maintainedAt < maintainMs) continue;
        maintainedAt = now();
        await queue.boss.supervise(queue.name);
      } catch (error) {
        if (logger) episodes.fail('', error, { logger, message: 'failed to send queue heartbeat' });
      }
    }
  }

  async #touch(queue: JobQueue): Promise<void> {
    const held = [...this.#jobs].filter(({ isLost }) => !isLost);
    if (held.length === 0) return;
    const lost = await touchJobs(
      queue,
      held.map(({ job }) => job),
    );
    for (const one of held.filter(({ job }) => lost.includes(job.id))) this.#lose(one);
    for (const one of held) if (this.#options.now() - one.claimedAt > renewMs) await this.#renew(queue, one);
  }

  async #renew(queue: JobQueue, one: JobAtWork<Entry>): Promise<void> {
    if (one.isLost || !this.#jobs.has(one)) return;
    const renewed = await renewJob(queue, one.job, one.entry.key);
    if (renewed === null) return this.#lose(one);
    one.job = renewed;
    one.claimedAt = this.#options.now();
  }

  #lose(one: JobAtWork<Entry>): void {
    // What ended meanwhile was found no more, either.
    if (!this.#jobs.has(one)) return;
    one.isLost = true;
    const { key } = one.entry;
    this.#options.logger?.warn({ entry: key }, 'lost queue entry: no heartbeat for too long');
  }
}
