import type { Outcome, RunReader } from '@agent/run-store';
import { ErrorEpisodes, toErrorMessage } from '@agent/text';
import type { ObserveBoard } from '../board/board-event.ts';
import type { RunLogger } from '../host/ports.ts';
import { retryAfterMsOf } from '../intents/call-with-retry.ts';
import { isTakenOver } from '../run/run-takeover.ts';
import type { OpenEntry } from './settle-run.ts';

/** Says that a run has ended, and that its end is not shown whole: the queue that processes share has it shown apart from its thread. */
export class OpenEndError extends Error {
  readonly run: UnsettledRun;
  readonly status: Outcome;

  constructor({ status, ...run }: EndedRun) {
    super('The outcome of a run could not be published yet. It will be retried.', {
      cause: run.open.at(0)?.error,
    });
    this.name = 'OpenEndError';
    this.run = run;
    this.status = status;
  }
}

/** A run that has ended or waits, and whose outbox has open entries. */
export interface UnsettledRun {
  readonly uuid: string;
  /** `owner/repo#42` */
  readonly name: string;
  /** Entries that were tried and could not be done; empty for a run that is to be tried at once. */
  readonly open: readonly OpenEntry[];
  /** Tries them again, and archives a run that has ended when none is left. @returns those that are left */
  readonly again: () => Promise<readonly OpenEntry[]>;
}

/** One that has ended. */
export interface EndedRun extends UnsettledRun {
  readonly status: Outcome;
}

export interface UnsettledRunsOptions {
  readonly observe: ObserveBoard;
  readonly logger: RunLogger;
  readonly now: () => number;
  /** Resolves after this long, or as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Ends the work: what is open is left for the next start. */
  readonly shutdown: AbortSignal;
  /** True for a process that ends when nothing is left to do: then nothing is tried again, and the next start does. */
  readonly once: boolean;
  /** True where processes share the queue, which keeps a run whose end is not whole: one process at a time tries. Default false. */
  readonly isShared?: boolean | undefined;
}

const firstDelayMs = 15_000;
const longestDelayMs = 3_600_000;

/** Milliseconds until what failed so often is tried again: twice as long each time, an hour at most, and no sooner than was asked for. */
function toDelayMs(attempts: number, errors: readonly unknown[]): number {
  const grown = Math.min(firstDelayMs * 2 ** Math.min(attempts - 1, 20), longestDelayMs);
  return Math.max(grown, ...errors.map(retryAfterMsOf));
}

/**
 * Runs of this process that have ended or wait, and are not settled. Threads of those that have ended are free; each is tried again with growing pauses, and the
 * board shows what is open, why, and when it is tried next.
 */
export class UnsettledRuns {
  readonly #options: UnsettledRunsOptions;
  readonly #pauses = new Map<string, AbortController>();
  /** Those of which something more was opened since they were tried last. */
  readonly #more = new Set<string>();
  /** Names of those that the queue keeps and this process has tried, by uuid. */
  readonly #shared = new Map<string, string>();
  /** One run is tried after the other. */
  #trying: Promise<void> = Promise.resolve();
  readonly #episodes: ErrorEpisodes;

  constructor(options: UnsettledRunsOptions) {
    this.#options = options;
    this.#episodes = new ErrorEpisodes({ now: options.now });
  }

  /** Number of runs that are not settled. */
  get count(): number {
    return this.#pauses.size + this.#shared.size;
  }

  /** Takes a run over whose end is not shown whole. @throws OpenEndError for the queue, where processes share it */
  readonly keepEnded = (run: EndedRun): void => {
    if (this.#options.isShared) throw new OpenEndError(run);
    this.keep(run);
  };

  /** Shows what is open of a run that the queue keeps. @returns milliseconds until it is to be tried again */
  readonly report = (run: UnsettledRun, attempts: number): number => {
    this.#shared.set(run.uuid, run.name);
    return this.#tell(run, attempts);
  };

  /** Shows no more what was open of those that the queue kept, and that any process has settled since. Never rejects. */
  readonly forgetSettled = async ({ readRun }: Pick<RunReader<unknown>, 'readRun'>): Promise<void> => {
    const { observe, logger } = this.#options;
    for (const [uuid, name] of this.#shared) {
      try {
        const { place } = await readRun(uuid);
        this.#episodes.end(`check ${uuid}`);
        if (place !== 'completed') continue;
        this.#shared.delete(uuid);
        observe({ type: 'outbox', uuid, name, open: null });
      } catch (err) {
        const message = 'failed to check whether run result is published';
        this.#episodes.fail(`check ${uuid}`, err, { logger, message, fields: { run: uuid } });
      }
    }
  };

  /** Takes a run over whose end or pause is not shown whole; one that it has is tried again at once. */
  readonly keep = (run: UnsettledRun): void => {
    if (!this.#pauses.has(run.uuid)) return void this.#settle(run);
    this.#more.add(run.uuid);
    this.hurry(run.uuid);
  };

  /** Lets go of a run that goes on. Resolves when nothing of it is being tried any more. */
  readonly release = async (uuid: string): Promise<void> => {
    const pause = this.#pauses.get(uuid);
    this.#pauses.delete(uuid);
    pause?.abort();
    await this.#trying;
  };

  /** Tries a run at once, whatever the pause. */
  readonly hurry = (uuid: string): void => this.#pauses.get(uuid)?.abort();

  /** Resolves when nothing is being tried. */
  readonly whenIdle = (): Promise<void> => this.#trying;

  async #settle(run: UnsettledRun): Promise<void> {
    const { sleep, shutdown, once, observe } = this.#options;
    const { uuid, name } = run;
    let { open } = run;
    for (let attempts = Math.min(1, open.length); ; attempts += 1) {
      const pause = new AbortController();
      this.#pauses.set(uuid, pause);
      const isReleased = () => this.#pauses.get(uuid) !== pause;
      if (open.length > 0) {
        const delayMs = this.#tell({ ...run, open }, attempts);
        if (once) return;
        await sleep(delayMs, AbortSignal.any([shutdown, pause.signal]));
        if (shutdown.aborted) return;
      }
      this.#more.delete(uuid);
      if (!isReleased()) open = await this.#tryAgain({ ...run, open });
      if (isReleased()) break;
      if (open.length > 0 || this.#more.has(uuid)) continue;
      this.#pauses.delete(uuid);
      break;
    }
    observe({ type: 'outbox', uuid, name, open: null });
  }

  #tryAgain(run: UnsettledRun): Promise<readonly OpenEntry[]> {
    const { uuid } = run;
    const again = async (): Promise<readonly OpenEntry[]> => {
      const left = await run.again();
      this.#episodes.end(uuid);
      return left;
    };
    const tried = this.#trying.then(again).catch((error: unknown) => {
      if (isTakenOver(error)) return [];
      const { logger } = this.#options;
      const line = { logger, level: 'error', message: 'failed to apply pending updates of run' } as const;
      this.#episodes.fail(uuid, error, { ...line, fields: { run: uuid } });
      return run.open.slice(0, 1).map(({ entry }) => ({ entry, error }));
    });
    this.#trying = tried.then(() => undefined);
    return tried;
  }

  /** @returns milliseconds until the next attempt */
  #tell({ uuid, name, open }: UnsettledRun, attempts: number): number {
    const { now, observe } = this.#options;
    const errors = open.map(({ error }) => error);
    const delayMs = toDelayMs(attempts, errors);
    const kinds = open.map(({ entry }) => entry.kind);
    const next = new Date(now() + delayMs).toISOString();
    const why = errors.map(toErrorMessage).at(0) ?? '';
    const reason = `${kinds.join(', ')}: ${why} (rounds: ${attempts}, next: ${next})`;
    observe({ type: 'outbox', uuid, name, open: { kinds, reason } });
    return delayMs;
  }
}
