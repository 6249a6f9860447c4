import { RunInterruption, type RunSignals } from '@agent/runner';
import { type EpisodeLine, ErrorEpisodes } from '@agent/text';
import type { RunLogger } from '../host/ports.ts';
import { type RepeatTask, repeatUnreferenced } from '../host/repeat-task.ts';
import type { RunInbox } from '../inbox/run-inbox.ts';

/** What can interrupt a run in the middle of a step. */
export interface InterruptionSources {
  /** Reads what was asked of the run. It makes no request to the platform. */
  readonly requests: RunSignals;
  /** Reads the thread if that is due. An act that stops the run is in `requests` from then on. Default nothing. */
  readonly thread?: RunSignals | undefined;
  /** True once after each webhook about the thread or a comment on it: the comments are polled then. */
  readonly isNotified: () => boolean;
}

/** Listener to the thread of a run before the run's own inbox listens. */
export interface PreparationListener extends Pick<RunInbox, 'runCommands'> {
  readonly close: () => void;
}

export interface InterrupterOptions extends InterruptionSources {
  readonly openListener: () => Promise<PreparationListener>;
  readonly shutdown: AbortSignal;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonicNow: () => number;
  readonly logger: Pick<RunLogger, 'info' | 'warn' | 'error'>;
  /** Default an unreferenced interval. */
  readonly repeat?: RepeatTask | undefined;
}

/** Logs failures to check for commands: one line at the start of each episode, and one at its end. */
export class FailureLog {
  readonly #episodes = new ErrorEpisodes();
  readonly #line: EpisodeLine;

  /** `source`: name in the log of what fails. */
  constructor(logger: EpisodeLine['logger'], source: string) {
    const message = 'failed to check for commands during step';
    this.#line = {
      logger,
      message,
      recovered: 'checking for commands during step again',
      fields: { source },
    };
  }

  failed(error: unknown): void {
    this.#episodes.fail('', error, this.#line);
  }

  succeeded(): void {
    this.#episodes.end('');
  }
}

/** Finds the command because of which something rejected with this error; null if there is another cause. */
export function findCommandOf(error: unknown, signal: AbortSignal): 'pause' | 'stop' | null {
  const reason: unknown = signal.reason;
  return reason instanceof RunInterruption && isAbortedBy(signal, error) ? reason.command : null;
}

/** Tells whether something rejected with this error because the signal was aborted. */
export function isAbortedBy({ aborted, reason }: AbortSignal, error: unknown): boolean {
  if (!aborted) return false;
  for (let at = error; at !== undefined; at = at instanceof Error ? at.cause : undefined)
    if (at === reason) return true;
  return false;
}

/** Milliseconds between two readings of what was asked of the run. */
const readMs = 1_000;
/** Milliseconds after which comments are polled while a step is under way, counted from the last poll. */
const pollMs = 30_000;
/** The same before the run's own inbox listens. */
const preparationPollMs = 5_000;

/**
 * Aborts what a run is doing when a user stops or pauses it, or when the process is asked to end. It runs beside one attempt: it
 * reads requests each second, and polls the comments, whatever the step under way does.
 */
export class RunInterrupter {
  /** Aborted with a `RunInterruption`, or with the reason of the shutdown. */
  readonly signal: AbortSignal;
  readonly #options: InterrupterOptions;
  readonly #commanded = new AbortController();
  readonly #closed = new AbortController();
  readonly #stop: () => void;
  readonly #readFailures: FailureLog;
  readonly #pollFailures: FailureLog;
  readonly #threadFailures: FailureLog;
  #inbox: Pick<RunInbox, 'heed' | 'isListening'> | null = null;
  #listener: PreparationListener | null = null;
  #mayListen = true;
  #listenedAt: number;
  #isNotified = false;
  #reading: Promise<void> | null = null;
  #polling: Promise<void> | null = null;
  #watching: Promise<void> | null = null;

  constructor(options: InterrupterOptions) {
    this.#options = options;
    this.#listenedAt = options.monotonicNow();
    this.#readFailures = new FailureLog(options.logger, 'requests');
    this.#pollFailures = new FailureLog(options.logger, 'comments');
    this.#threadFailures = new FailureLog(options.logger, 'thread');
    this.signal = AbortSignal.any([this.#commanded.signal, options.shutdown]);
    this.#stop = (options.repeat ?? repeatUnreferenced)(() => this.look(), readMs);
  }

  /**
   * Polls the comments by the run's own inbox once that listens.
   *
   * @returns the inbox; its `begin` first closes the listener of the preparation
   */
  use<Inbox extends Pick<RunInbox, 'begin' | 'heed' | 'isListening'>>(inbox: Inbox): Inbox {
    this.#inbox = inbox;
    return {
      ...inbox,
      begin: async (...given: Parameters<RunInbox['begin']>) => {
        this.#mayListen = false;
        await this.#polling;
        this.#closeListener();
        return inbox.begin(...given);
      },
    };
  }

  /** Begins what is due and not under way. Called each second. */
  look(): void {
    if (this.#closed.signal.aborted || this.signal.aborted) return;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = null;
    });
    this.#watching ??= this.#watch().finally(() => {
      this.#watching = null;
    });
  }

  /** Resolves once nothing is under way any more; nothing is aborted from now on. */
  async close(): Promise<void> {
    this.#stop();
    this.#closed.abort();
    await this.settle();
    this.#closeListener();
  }

  /** Resolves once what is under way is done. */
  async settle(): Promise<void> {
    await Promise.all([this.#reading, this.#polling, this.#watching]);
  }

  async #read(): Promise<void> {
    const { requests, logger } = this.#options;
    try {
      const asked = await requests.read({ signal: this.#closed.signal });
      this.#readFailures.succeeded();
      if (asked === 'none' || this.#closed.signal.aborted) return;
      if (!this.signal.aborted) logger.info({ command: asked }, 'interrupting current step');
      this.#commanded.abort(new RunInterruption(asked));
    } catch (error) {
      if (!this.#closed.signal.aborted) this.#readFailures.failed(error);
    }
  }

  async #watch(): Promise<void> {
    try {
      const found = await this.#options.thread?.read({ signal: this.#closed.signal });
      this.#threadFailures.succeeded();
      if (found === 'stop') await this.#read();
    } catch (error) {
      if (!this.#closed.signal.aborted) this.#threadFailures.failed(error);
    }
  }

  async #poll(): Promise<void> {
    this.#isNotified ||= this.#options.isNotified();
    try {
      const hasPolled = this.#inbox?.isListening() === true ? await this.#heed() : await this.#listen();
      if (!hasPolled) return;
      this.#pollFailures.succeeded();
      await this.#read();
    } catch (error) {
      if (!this.#closed.signal.aborted) this.#pollFailures.failed(error);
    }
  }

  async #heed(): Promise<boolean> {
    this.#closeListener();
    const hasPolled = await this.#inbox?.heed({
      maxAgeMs: this.#isNotified ? 0 : pollMs,
      signal: this.#closed.signal,
    });
    if (hasPolled) this.#isNotified = false;
    return hasPolled === true;
  }

  async #listen(): Promise<boolean> {
    const { monotonicNow, openListener } = this.#options;
    if (!this.#mayListen) return false;
    if (!this.#isNotified && monotonicNow() - this.#listenedAt < preparationPollMs) return false;
    this.#listenedAt = monotonicNow();
    this.#isNotified = false;
    this.#listener ??= await openListener();
    await this.#listener.runCommands({ signal: this.#closed.signal });
    return true;
  }

  #closeListener(): void {
    this.#listener?.close();
    this.#listener = null;
  }
}
