import type { RunEnding } from '../ending.ts';
import type { Run } from '../run.ts';
import type { AgentSettings } from './agent-options.ts';
import type { AgentStep } from './agent-step.ts';
import { AgentFailure, type AgentFailureCode } from './executor.ts';

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

  /**
   * Ends a turn.
   *
   * @param options `isCanceled`: it ended early, and not because the agent is to be told something
   * @returns the reason of the refusal that ended it; null where none did
   */
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

/** A turn that runs. */
export interface TurnUnderWay {
  readonly step: AgentStep;
  /** Ending of the run, for which the turn is canceled, or that another one is to follow for last words; null while it goes on. */
  ending: RunEnding | 'last-words' | null;
  lateCalls: number;
  /** True once the agent said or did something. */
  hasActed: boolean;
  lastSignAt: number;
  /** Calls that run, by their ids: an agent may have nothing to say while they do. */
  readonly openCalls: Map<string, string>;
}

/** @throws AgentFailure where the agent said nothing for longer than a step, or a call that runs, may take */
export function checkSilence(
  { settings, requests, calls }: Run,
  { lastSignAt, openCalls }: TurnUnderWay,
): void {
  const [tool = null] = openCalls.values();
  const limitMs = tool === null ? requests.stepTimeoutMs : calls.toolTimeoutMs;
  if (settings.now() - lastSignAt < limitMs) return;
  const during = tool === null ? '' : ` while "${tool}" ran`;
  const said = `it sent nothing for ${Math.round(limitMs / 1_000)} s${during}`;
  throw new AgentFailure('The agent sent nothing for too long.', { code: 'silent', said });
}
