import { checkOptions, expected } from './check-options.ts';
import type { Logger } from './logger.ts';

/** How an episode is logged. */
export interface EpisodeLine {
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Constant text, such as `failed to poll for tasks`. */
  readonly message: string;
  /** Constant text of the end. Default: `recovered: ` and the message. */
  readonly recovered?: string | undefined;
  /** Default `warn`. */
  readonly level?: 'warn' | 'error' | undefined;
  /** Fields of both lines. Default none. */
  readonly fields?: object | undefined;
}

interface Episode {
  readonly line: EpisodeLine;
  /** Milliseconds since 1970. */
  readonly since: number;
  count: number;
  cause: unknown;
}

/** Episodes that are remembered; the oldest are forgotten first. */
const maxEpisodes = 1_000;

/**
 * Logs errors that come again and again: one line when an episode begins or its cause changes, and one when it ends, with the number of
 * errors (`count`) and the time of the first (`since`).
 *
 * @example
 * const episodes = new ErrorEpisodes();
 * const line = { logger: console, message: 'failed to poll for tasks' };
 * for (const poll of polls) await poll().then(() => episodes.end('github'), (error) => episodes.fail('github', error, line));
 */
export class ErrorEpisodes {
  readonly #now: () => number;
  readonly #episodes = new Map<string, Episode>();

  /** `now`: milliseconds since 1970. Default `Date.now`. */
  constructor(options: { readonly now?: (() => number) | undefined } = {}) {
    checkOptions('The options of ErrorEpisodes', options, { now: expected.function });
    this.#now = options.now ?? Date.now;
  }

  /** Adds an error to the episode with this key. */
  fail(key: string, error: unknown, line: EpisodeLine): void {
    const cause = toCause(error);
    const known = this.#episodes.get(key);
    if (known !== undefined) {
      known.count += 1;
      if (known.cause === cause) return;
      known.cause = cause;
    } else {
      for (const oldest of this.#episodes.keys())
        if (this.#episodes.size >= maxEpisodes) this.#episodes.delete(oldest);
      this.#episodes.set(key, { line, since: this.#now(), count: 1, cause });
    }
    const { logger, message, level = 'warn', fields } = line;
    logger[level]({ ...fields, err: error }, message);
  }

  /** Ends the episode; does nothing if there is none. */
  end(key: string): void {
    const known = this.#episodes.get(key);
    if (known === undefined) return;
    this.#episodes.delete(key);
    const { line, count, since } = known;
    const { logger, message, recovered = `recovered: ${message}`, fields } = line;
    logger.info({ ...fields, count, since: new Date(since).toISOString() }, recovered);
  }

  /** Forgets an episode whose subject no longer exists. */
  forget(key: string): void {
    this.#episodes.delete(key);
  }
}

/** Messages hold addresses and times: they differ where the cause is the same. */
function toCause(error: unknown): unknown {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  return code ?? name;
}
