import type { CheckResults, Verdict } from './check-results.ts';
import { CheckFailure } from './rehearsal-error.ts';
import type { RehearsalClock } from './wait-for.ts';

/** Parts that each check uses. */
export interface CheckParts<Name extends string> {
  readonly results: CheckResults<Name>;
  readonly clock: RehearsalClock;
  /** Interrupts the checks; the clean-up follows. */
  readonly signal: AbortSignal;
  /** Adds the usual instruction and page to a verdict that has none. */
  readonly advise: (name: Name, verdict: Verdict) => Verdict;
}

/** Ends a rehearsal early. The result that explains it was added before. */
export class RehearsalEnd extends Error {
  override readonly name = 'RehearsalEnd';
}

/**
 * Makes a check, and adds its result. What it throws is a failure, unless the rehearsal ends.
 *
 * @returns true if it passed
 * @throws the reason of the signal if the rehearsal is interrupted; RehearsalEnd
 */
export async function makeCheck<Name extends string>(
  { results, clock, signal, advise }: CheckParts<Name>,
  name: Name,
  make: () => Promise<Verdict>,
): Promise<boolean> {
  const beginAt = clock.now();
  let verdict: Verdict;
  try {
    verdict = await make();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RehearsalEnd) throw error;
    const known = error instanceof CheckFailure ? { fix: error.fix, url: null } : {};
    verdict = { status: 'failed', text: (error as Error).message, ...known };
  }
  results.add(name, advise(name, verdict), clock.now() - beginAt);
  return verdict.status === 'passed';
}
