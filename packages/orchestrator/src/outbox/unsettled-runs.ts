import { toErrorMessage } from '@agent/text';
import type { ObserveBoard } from '../board/board-event.ts';
import type { RunLogger } from '../ports.ts';
import { retryAfterMsOf } from '../run/call-with-retry.ts';
import { isTakenOver } from '../run/run-takeover.ts';
import type { OpenEntry } from './settle-run.ts';

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
  /** True where processes share the queue, which offers a run again whose end is not whole: one process at a time tries. Default false. */
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
  /** One run is tried after the other. */
  #trying: Promise<void> = Promise.resolve();

  constructor(options: UnsettledRunsOptions) {
    this.#options = options;
  }

  /** True where a run whose end is not whole is left to the queue. */
  get isShared(): boolean {
    return this.#options.isShared ?? false;
  }

  /** Number of runs that are not settled. */
  get count(): number {
    return this.#pauses.size;
  }

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
    const tried = this.#trying.then(run.again).catch((error: unknown) => {
      if (isTakenOver(error)) return [];
      this.#options.logger.error(
        { run: run.uuid, err: error },
        'a run that has ended or waits could not be settled',
      );
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
