import type { Logger } from '@agent/text';
import { createBell, type SleepUntil } from './bell.ts';
import { type ClaimedJob, hasSilent, renewJob, touchJobs } from './job-claims.ts';
import { expirySeconds, heartbeatSeconds, type JobQueue } from './open-boss.ts';

/** Carries out one entry. */
export type WorkOn<Entry> = (entry: Entry) => Promise<'done' | 'later'>;

export interface JobsAtWorkOptions {
  readonly open: () => Promise<JobQueue>;
  /** Called when there is room for another one. */
  readonly onRoom: () => void;
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
/** Looks for processes that died. */
const lookMs = 6_000;
/** Lets pg-boss keep its tables in order, though nobody died. */
const maintainMs = 300_000;
const renewMs = (expirySeconds * 1_000) / 2;
/** An answer that takes longer: the server was away. */
const slowMs = 2_000;
/** So long after the server was away nobody is taken for dead: all that work have to show themselves first. */
const calmMs = 2 * heartbeatSeconds * 1_000;

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

  readonly entries = (): readonly Entry[] => [...this.#jobs].map(({ entry }) => entry);

  /** Begins to carry out a job; its place is free again once its result is written. */
  begin(job: ClaimedJob, { entry, workOn }: { readonly entry: Entry; readonly workOn: WorkOn<Entry> }): void {
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

  async #carryOut(one: JobAtWork<Entry>, workOn: WorkOn<Entry>): Promise<void> {
    const { open, logger } = this.#options;
    const { key } = one.entry;
    try {
      const result = await workOn(one.entry).catch((error: unknown) => {
        logger?.error({ entry: key, err: error }, 'an entry could not be carried out, and is offered again');
        return 'later' as const;
      });
      const { boss, name } = await open();
      if (one.isLost) return;
      if (result === 'done') await boss.complete(name, one.job);
      else await boss.fail(name, one.job, { reason: 'left for later' });
    } catch (error) {
      // Without a sign of life it is offered again.
      logger?.error({ entry: key, err: error }, 'the end of an entry could not be written into the queue');
    }
  }

  /** Looks after the jobs, and after those of processes that died, until its end. */
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
    let calmAt = Number.NEGATIVE_INFINITY;
    let [lookedAt, maintainedAt] = [now(), now()];
    for (;;) {
      await sleep(touchMs, ending);
      if (ending.aborted) return;
      const begunAt = now();
      try {
        const queue = await open();
        await this.#touch(queue);
        if (now() - lookedAt < lookMs) continue;
        lookedAt = now();
        const isAnybodySilent = await hasSilent(queue);
        if (now() - begunAt > slowMs) calmAt = now() + calmMs;
        if (now() < calmAt || (!isAnybodySilent && now() - maintainedAt < maintainMs)) continue;
        maintainedAt = now();
        await queue.boss.supervise(queue.name);
      } catch (error) {
        calmAt = now() + calmMs;
        logger?.warn({ err: error }, 'the queue could not be told that this process lives');
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
    this.#options.logger?.warn(
      { entry: key },
      'this process was silent for too long: another one may have taken the entry',
    );
  }
}
