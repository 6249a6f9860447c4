import { randomUUID } from 'node:crypto';
import { ErrorEpisodes } from '@agent/text';
import { repeatUnreferenced } from '../ownership/ownership.ts';
import type { Leadership, LeadOptions } from '../storage.ts';
import type { LeaseOptions } from './membership.ts';
import type { Schema } from './schema.ts';

/** Ways to take part in a choice. */
interface TermOptions extends LeaseOptions, LeadOptions {
  /** Name of this process among those that take part. Default a new one. */
  readonly holder?: string | undefined;
}

/** Seconds of the database's clock for which a process leads without giving a sign of life. */
const termSeconds = 10;

/**
 * Chooses one of the processes of a cluster: whoever has the row leads for a term, and the next one takes it over when the term
 * has passed. A process counts its term from before it asked, so that it ends there before it ends for the others.
 */
export function takePart(
  { database, at }: Schema,
  name: string,
  { onLeading = () => {}, onFollowing = () => {}, holder = randomUUID(), ...options }: TermOptions,
): Leadership {
  const { renewMs = 3_000, clock = () => performance.now(), logger, repeat = repeatUnreferenced } = options;
  let endsAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;
  let hasResigned = false;
  let leads = false;
  const isWithinTerm = () => !hasResigned && clock() < endsAt;

  async function ask(): Promise<void> {
    const sent = clock();
    const wasLeading = isWithinTerm();
    const taken = await database.query(
      `INSERT INTO ${at}.terms (name, holder, ends_at) VALUES ($1, $2, now() + make_interval(secs => $3))
       ON CONFLICT (name) DO UPDATE SET holder = EXCLUDED.holder, ends_at = EXCLUDED.ends_at
       WHERE terms.holder = EXCLUDED.holder OR terms.ends_at < now() RETURNING name`,
      [name, holder, termSeconds],
    );
    endsAt = taken.length > 0 ? sent + termSeconds * 1_000 : Number.NEGATIVE_INFINITY;
    const ledBefore = leads;
    leads = isWithinTerm();
    if (leads && !wasLeading) onLeading();
    if (ledBefore && taken.length === 0) onFollowing();
  }

  function askOnce(): Promise<void> {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  }

  const first = askOnce();
  const episodes = new ErrorEpisodes();
  const note = (asked: Promise<void>): void => {
    asked.then(
      () => episodes.end(name),
      (err: unknown) => {
        if (logger)
          episodes.fail(name, err, { logger, message: 'failed to determine leader', fields: { name } });
      },
    );
  };
  note(first);
  const stop = repeat(() => note(askOnce()), renewMs);
  return {
    isLeading: async () => {
      await first.catch(() => undefined);
      return isWithinTerm();
    },
    resign: async () => {
      if (hasResigned) return;
      hasResigned = true;
      stop();
      await asking?.catch(() => undefined);
      await database.query(`DELETE FROM ${at}.terms WHERE name = $1 AND holder = $2`, [name, holder]);
    },
  };
}
