import { type RunEnding, toInterrupted } from '../ending.ts';
import { isAborted, type Run } from '../run.ts';

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
  async wait<Next>(next: Promise<Next>): Promise<Next | 'tick' | 'aborted'> {
    if (isAborted(this.#run)) return 'aborted';
    this.#tick ??= this.#run.settings.sleep(this.#intervalMs, { signal: this.#signal }).then(
      () => 'tick' as const,
      () => 'aborted' as const,
    );
    const result = await Promise.race([this.#tick, next]);
    if (result === 'tick') this.#tick = null;
    return result;
  }

  end(): void {
    this.#over.abort();
  }
}

interface MeanwhileOptions<Result> {
  /** Its signal is aborted where the run ends first: then nobody waits for it any more. */
  readonly work: (signal: AbortSignal) => Promise<Result>;
  /** Asked again and again while it lasts. */
  readonly findEnding: () => Promise<RunEnding | null>;
  /** Milliseconds between two questions. */
  readonly intervalMs: number;
}

/** Waits for work, and looks up from it meanwhile: what ends the run ends the wait. */
export async function waitMeanwhile<Result>(
  run: Run,
  { work, findEnding, intervalMs }: MeanwhileOptions<Result>,
): Promise<{ readonly result: Result } | { readonly ending: RunEnding }> {
  const left = new AbortController();
  const checks = new Checks(run, { intervalMs });
  const working = work(left.signal).then((result) => ({ result }));
  working.catch(() => undefined);
  try {
    for (;;) {
      const next = await checks.wait(working);
      if (next === 'aborted') return { ending: toInterrupted(run) };
      if (next !== 'tick') return next;
      const ending = await findEnding();
      if (ending !== null) return { ending };
    }
  } finally {
    left.abort();
    checks.end();
  }
}
