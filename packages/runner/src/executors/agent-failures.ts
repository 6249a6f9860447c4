import type { AgentSettings } from './agent-options.ts';
import type { AgentFailureCode } from './executor.ts';

const firstRestMs = 5_000;
const longestRestMs = 600_000;

/** Failures that another process of the same agent would have, too. */
const hopeless: ReadonlySet<AgentFailureCode> = new Set([
  ...(['not-started', 'refused', 'needs-login', 'other-version', 'no-session'] as const),
]);

/** Counts what an agent is refused, over turns that end by it. */
export class AgentRefusals {
  readonly #max: number;
  #count = 0;
  #lastOfTurn: string | null = null;

  constructor({ maxRefusals = 50 }: Pick<AgentSettings, 'maxRefusals'>) {
    this.#max = maxRefusals;
  }

  add(reason: string): void {
    this.#count += 1;
    this.#lastOfTurn = reason;
  }

  /** Number of them where there are too many: the agent asks on for ever. Else null. */
  get tooMany(): number | null {
    return this.#count > this.#max ? this.#count : null;
  }

  /** Ends a turn. @param isCanceled whether the agent ended it early, and not to be told something @returns the reason of the refusal that ended it; null for a turn that none ended */
  endTurn({ isCanceled }: { readonly isCanceled: boolean }): string | null {
    const reason = isCanceled ? this.#lastOfTurn : null;
    this.#lastOfTurn = null;
    if (reason === null) this.#count = 0;
    return reason;
  }
}

/** Counts the failures of an agent in a row, and says what follows. */
export class AgentFailures {
  readonly #maxDeaths: number;
  readonly #maxTurnFailures: number;
  #deaths = 0;
  #turnFailures = 0;

  constructor({ maxDeaths = 3, maxTurnFailures = 10 }: Pick<AgentSettings, 'maxDeaths' | 'maxTurnFailures'>) {
    this.#maxDeaths = maxDeaths;
    this.#maxTurnFailures = maxTurnFailures;
  }

  /** Begins anew: the agent got something done. */
  forget(): void {
    this.#deaths = 0;
    this.#turnFailures = 0;
  }

  /** Counts one. @returns how long to wait before the agent is opened again, in milliseconds; null where that is of no use */
  count(code: AgentFailureCode): number | null {
    if (code !== 'turn-failed') {
      this.#deaths += 1;
      return hopeless.has(code) || this.#deaths >= this.#maxDeaths ? null : 0;
    }
    this.#turnFailures += 1;
    if (this.#turnFailures >= this.#maxTurnFailures) return null;
    return Math.min(firstRestMs * 2 ** (this.#turnFailures - 1), longestRestMs);
  }
}
