import { PlatformError } from '@agent/platforms';
import type { Json, NewIntent, OutboxEntry } from '@agent/run-store';
import { toErrorMessage } from '@agent/text';
import { isRefused, isTransient, OpenIntentError } from './call-with-retry.ts';
import { findRule, type GiveUpOptions, giveUp, giveUpWhereAsked, type IntentRun } from './give-up.ts';

/** Something that a run at work cannot go on without. */
export interface Doing<Made extends Json> {
  readonly intent: NewIntent;
  /** Safe to repeat. */
  readonly perform: () => Promise<Made>;
}

/**
 * Carries out an intent of a run at work: its entry is open before it is tried, and done with what it made. What is refused stays open
 * and is tried again when the run is; so is what is transient.
 *
 * @throws OpenIntentError where it was refused; GivenUpError where somebody, or the rule of seven days, gave it up; else what
 *   `perform` throws
 */
export type DoIntent = <Made extends Json>(run: IntentRun, doing: Doing<Made>) => Promise<Made>;

/** Says that an intent is tried no more. */
export class GivenUpError extends Error {
  constructor({ kind, by, reason }: { readonly kind: string; readonly by: string; readonly reason: string }) {
    super(`${kind}: abandoned by ${by}. ${reason}`);
    this.name = 'GivenUpError';
  }
}

export interface DoIntentOptions extends GiveUpOptions {
  readonly now: () => number;
}

/** Creates it. */
export function createDoIntent(options: DoIntentOptions): DoIntent {
  return async (run, { intent, perform }) => {
    const { outbox } = run;
    const opened = await outbox.open(intent);
    const entry = (await giveUpWhereAsked(options, run)) ? await outbox.open(intent) : opened;
    if (entry.state === 'given-up') throw new GivenUpError(entry);
    try {
      const made = await perform();
      await outbox.settle(intent.id, { state: 'done', made });
      return made;
    } catch (error) {
      throw await judge(options, run, { entry, error });
    }
  };
}

/** @returns the error to throw */
async function judge(
  { now }: DoIntentOptions,
  run: Pick<IntentRun, 'outbox' | 'logger'>,
  { entry, error }: { readonly entry: OutboxEntry; readonly error: unknown },
): Promise<unknown> {
  const { kind } = entry;
  if (isTransient(error)) return error;
  // Whatever a platform answers, it may answer otherwise in an hour. What else went wrong is the caller's matter.
  if (!isRefused(error) && !PlatformError.isInstance(error)) return error;
  const reason = toErrorMessage(error);
  const by = findRule(entry, { error, now });
  if (by === null) return new OpenIntentError(kind, { cause: error });
  const given = { by, reason };
  await giveUp(run, entry, given);
  return new GivenUpError({ kind, ...given });
}
