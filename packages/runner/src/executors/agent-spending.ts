import { classifyModelError } from '../classify-model-error.ts';
import type { CallSpending, SettleCall } from '../models/meter-model.ts';
import type { CallOptions } from '../ports.ts';
import type { Run } from '../run.ts';

/**
 * Pays for what an agent tells that it has spent. It is told afterwards, so that a limit is passed by what an agent spends between two
 * words about it; nothing begins after that.
 */
export class AgentSpending {
  readonly #spending: CallSpending | null;
  #settle: SettleCall | null = null;
  #wasTold = false;

  constructor(spending: CallSpending | null) {
    this.#spending = spending;
  }

  /** True where money is limited and the agent has never told what it spends. */
  get isSilent(): boolean {
    return this.#spending !== null && !this.#wasTold;
  }

  /** Finds out whether there is anything left to spend. @returns why not, in words for people; else null */
  async admit(run: Run, { signal }: CallOptions): Promise<string | null> {
    if (this.#spending === null || this.#settle !== null) return null;
    try {
      this.#settle = await this.#spending.reserve(1, { signal });
      return null;
    } catch (error) {
      const failure = classifyModelError(error);
      if (failure.kind !== 'over-budget') throw error;
      return run.settings.texts.modelFailed({ ...failure, timeoutMs: run.requests.stepTimeoutMs });
    }
  }

  /** Takes in what the agent told. @returns as `admit` */
  async pay(run: Run, { micros, signal }: CallOptions & { readonly micros: number }): Promise<string | null> {
    this.#wasTold = true;
    if (this.#spending === null || micros === 0) return null;
    await this.#replace(micros);
    return this.admit(run, { signal });
  }

  /** Gives back what was reserved and not spent. */
  async release(): Promise<void> {
    await this.#replace(0);
  }

  async #replace(micros: number): Promise<void> {
    const settle = this.#settle;
    this.#settle = null;
    await settle?.({ micros, isPresumed: false });
  }
}
