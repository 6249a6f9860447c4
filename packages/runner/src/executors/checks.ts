import { isAborted, type Run } from '../run.ts';
import { AgentFailure, type ExecutorEvent } from './executor.ts';

/** Moments at which a run looks up from its agent, however much that says. */
export class Checks {
  readonly #run: Run;
  readonly #intervalMs: number;
  readonly #over = new AbortController();
  readonly #signal: AbortSignal;
  #tick: Promise<'tick' | 'aborted'> | null = null;

  constructor(run: Run, { intervalMs }: { readonly intervalMs: number }) {
    const { hardSignal } = run.steering;
    this.#run = run;
    this.#intervalMs = intervalMs;
    this.#signal =
      hardSignal === undefined ? this.#over.signal : AbortSignal.any([this.#over.signal, hardSignal]);
  }

  /** Waits for what happens next. A moment that is there comes before it, so that no flood of events keeps the run from looking up. */
  async wait(next: Promise<IteratorResult<ExecutorEvent>>): Promise<ExecutorEvent | 'tick' | 'aborted'> {
    if (isAborted(this.#run)) return 'aborted';
    this.#tick ??= this.#run.settings.sleep(this.#intervalMs, { signal: this.#signal }).then(
      () => 'tick' as const,
      () => 'aborted' as const,
    );
    const result = await Promise.race([this.#tick, next]);
    if (typeof result === 'string') {
      this.#tick = null;
      return result;
    }
    if (result.done === true)
      throw new AgentFailure('The agent broke its turn off.', {
        ...{ code: 'ended' as const, said: 'it broke its turn off' },
      });
    return result.value;
  }

  end(): void {
    this.#over.abort();
  }
}
