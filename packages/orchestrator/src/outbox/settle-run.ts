import type { IntentResult, Outbox, OutboxEntry, RunControls } from '@agent/run-store';
import type { ObserveBoard } from '../board/board-event.ts';
import type { RunLogger } from '../ports.ts';
import { retryAfterMsOf } from '../run/call-with-retry.ts';
import type { Run } from '../run/run.ts';

/** An entry that is still open, and why. */
export interface OpenEntry {
  readonly entry: OutboxEntry;
  readonly error: unknown;
}

/**
 * Carries out one entry; repeating it is safe. Null where it rests on another entry, which is open.
 *
 * @throws what kept it from being done, whatever it was: then the entry stays open
 */
export type PerformEntry = (
  run: Run,
  at: { readonly entry: OutboxEntry; readonly entries: readonly OutboxEntry[] },
) => Promise<IntentResult | null>;

export interface SettleRunOptions {
  readonly perform: PerformEntry;
  readonly controls: Pick<RunControls, 'read' | 'remove'>;
  readonly now: () => number;
}

/** Tries each open entry of a run once, in their order. @returns those that could not be done */
export type SettleRun = (run: SettledRun) => Promise<readonly OpenEntry[]>;

/** A run, as far as its outbox goes. */
export type SettledRun = Run;

/** After so long an entry that cannot be done is given up. */
const keptMs = 7 * 86_400_000;

/**
 * Creates what carries out the outbox of a run. An entry is done, open, or given up: by somebody who said `settle`, or by the rule
 * of seven days. No answer of a platform gives one up: a token, a lock, a rule or an incident may be over in an hour.
 */
export function createSettleRun({ perform, controls, now }: SettleRunOptions): SettleRun {
  const isOver = ({ openedAt }: OutboxEntry): boolean => now() - Date.parse(openedAt) >= keptMs;
  const tryOne = async (run: SettledRun, entry: OutboxEntry, entries: readonly OutboxEntry[]) => {
    try {
      const result = await perform(run, { entry, entries });
      if (result !== null) await run.outbox.settle(entry.id, result);
      return null;
    } catch (error) {
      run.logger.error({ err: error, entry: entry.id }, 'an entry of the outbox could not be done');
      if (!isOver(entry)) return { entry, error };
      await giveUp(run, entry, { by: 'the rule of seven days', reason: describe(error) });
      return null;
    }
  };
  return async (run) => {
    const { uuid, outbox, logger } = run;
    if ((await controls.read(uuid)).includes('settle')) {
      for (const entry of listOpen(await outbox.list()))
        await giveUp({ outbox, logger }, entry, { by: 'agent-daemon settle', reason: 'somebody gave it up' });
      await controls.remove(uuid, ['settle']);
    }
    const tried = new Set<string>();
    const failed: OpenEntry[] = [];
    for (;;) {
      // An entry may open another one.
      const entries = await outbox.list();
      const next = listOpen(entries).find(({ id }) => !tried.has(id));
      if (next === undefined) return failed;
      tried.add(next.id);
      const open = await tryOne(run, next, entries);
      if (open !== null) failed.push(open);
    }
  };
}

function listOpen(entries: readonly OutboxEntry[]): readonly OutboxEntry[] {
  return entries.filter(({ state }) => state === 'open');
}

async function giveUp(
  { outbox, logger }: { readonly outbox: Pick<Outbox, 'settle'>; readonly logger: RunLogger },
  { id, kind }: OutboxEntry,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<void> {
  await outbox.settle(id, { state: 'given-up', by, reason });
  logger.warn({ entry: id, kind, by, reason }, 'an entry of the outbox was given up');
}

/** Says in one line why something failed. */
function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A run that has ended, and whose outbox has open entries. */
export interface UnsettledRun {
  readonly uuid: string;
  /** `owner/repo#42` */
  readonly name: string;
  readonly open: readonly OpenEntry[];
  /** Tries them again, and archives the run when none is left. @returns those that are left */
  readonly again: () => Promise<readonly OpenEntry[]>;
}

export interface UnsettledRunsOptions {
  readonly controls: Pick<RunControls, 'list'>;
  readonly observe: ObserveBoard;
  readonly logger: RunLogger;
  readonly now: () => number;
  /** Resolves after this long, or as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Ends the work: what is open is left for the next start. */
  readonly shutdown: AbortSignal;
  /** True for a process that ends when nothing is left to do: then nothing is tried again, and the next start does. */
  readonly once: boolean;
}

const firstDelayMs = 15_000;
const longestDelayMs = 3_600_000;

/** Milliseconds until what failed so often is tried again: twice as long each time, an hour at most, and no sooner than was asked for. */
function toDelayMs(attempts: number, errors: readonly unknown[]): number {
  const grown = Math.min(firstDelayMs * 2 ** Math.min(attempts - 1, 20), longestDelayMs);
  return Math.max(grown, ...errors.map(retryAfterMsOf));
}

/**
 * Runs of this process that have ended and are not settled. Their threads are free; each is tried again with growing pauses, and the
 * board shows what is open, why, and when it is tried next.
 */
export class UnsettledRuns {
  readonly #options: UnsettledRunsOptions;
  readonly #pauses = new Map<string, AbortController>();
  /** One run is tried after the other. */
  #trying: Promise<void> = Promise.resolve();

  constructor(options: UnsettledRunsOptions) {
    this.#options = options;
  }

  /** Number of runs that are not settled. */
  get count(): number {
    return this.#pauses.size;
  }

  /** Takes a run over whose end could not be shown whole. */
  readonly keep = (run: UnsettledRun): void => void this.#settle(run);

  /** Tries at once what somebody gave up, whatever the pause. Never rejects. */
  async hurry(): Promise<void> {
    try {
      for (const { uuid, verb } of await this.#options.controls.list())
        if (verb === 'settle') this.#pauses.get(uuid)?.abort();
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'what was given up by "settle" cannot be read');
    }
  }

  /** Resolves when nothing is being tried. */
  readonly whenIdle = (): Promise<void> => this.#trying;

  async #settle(run: UnsettledRun): Promise<void> {
    const { sleep, shutdown, once, observe } = this.#options;
    const { uuid, name } = run;
    let { open } = run;
    for (let attempts = 1; ; attempts += 1) {
      const pause = new AbortController();
      this.#pauses.set(uuid, pause);
      const delayMs = this.#tell({ ...run, open }, attempts);
      if (once) return;
      await sleep(delayMs, AbortSignal.any([shutdown, pause.signal]));
      if (shutdown.aborted) return;
      open = await this.#tryAgain({ ...run, open });
      if (open.length === 0) break;
    }
    this.#pauses.delete(uuid);
    observe({ type: 'outbox', uuid, name, open: null });
  }

  #tryAgain(run: UnsettledRun): Promise<readonly OpenEntry[]> {
    const tried = this.#trying.then(run.again).catch((error: unknown) => {
      this.#options.logger.error({ run: run.uuid, err: error }, 'a run that has ended could not be archived');
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
    const why = errors.map(describe).at(0) ?? '';
    const reason = `${kinds.join(', ')}: ${why} (rounds: ${attempts}, next: ${next})`;
    observe({ type: 'outbox', uuid, name, open: { kinds, reason } });
    return delayMs;
  }
}
