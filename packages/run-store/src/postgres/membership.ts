import { hostname } from 'node:os';
import { ErrorEpisodes, type Logger } from '@agent/text';
import { ContextStoreError } from '../context-store-error.ts';
import type { ControlVerb } from '../controls/run-controls.ts';
import { repeatUnreferenced } from '../ownership/ownership.ts';
import type { Ownership } from '../ports.ts';
import type { StorageMember } from '../storage.ts';
import { isNoMember, type Writer } from './run-rows.ts';
import type { Schema } from './schema.ts';
import type { AskedOfRuns, RequestMemory } from './shared-requests.ts';
import { pauseName } from './small-rows.ts';

/** Ways to keep a lease. */
export interface LeaseOptions {
  /** Milliseconds for which an answer of the database holds. Default 5,000. */
  readonly leaseMs?: number | undefined;
  /** Milliseconds between two renewals. Default 3,000. */
  readonly renewMs?: number | undefined;
  /** Milliseconds on a clock that never goes back. Default `performance.now`. */
  readonly clock?: (() => number) | undefined;
  /** Runs a task again and again until the function it gave back is called. Default an unreferenced interval. */
  readonly repeat?: ((task: () => void, everyMs: number) => () => void) | undefined;
  readonly logger?: Logger | null | undefined;
}

interface MembershipOptions extends LeaseOptions {
  /** True for nobody beside: who is a member is one no more. Default false. */
  readonly exclusive?: boolean | undefined;
  /** Lists the openings of runs by this process. */
  readonly listOpenings: () => readonly Pick<Writer, 'uuid' | 'owner'>[];
  /** Is told, at each renewal, what is asked of these runs. Default nobody. */
  readonly memory?: RequestMemory | undefined;
}

/** After this, a member that gives no sign of life is taken for gone: it is not listed, and keeps nobody out. */
const goneSeconds = 30;

/**
 * Makes this process a member of the cluster, under a number higher than any before.
 * @throws {ContextStoreError} `owned` while another process has the place for itself
 */
export async function acquireMembership(schema: Schema, options: MembershipOptions): Promise<Ownership> {
  const number = options.exclusive === true ? await enterAlone(schema) : await enterBeside(schema);
  return keepMembership(schema, { ...options, number });
}

/** Condition, in SQL, of a member that has given a sign of life lately. */
export const isThere = `renewed_at > now() - interval '${goneSeconds} seconds'`;
const columns = 'number, pid, host, alone';
const toPlaceLock = ({ at }: Schema) => `${at} place`;

/** Lists the processes that have given a sign of life lately, or those that crashed. */
export function listMembers(
  { database, at }: Schema,
  { gone }: { readonly gone: boolean },
): Promise<readonly StorageMember[]> {
  return database.query(
    `SELECT number::float8 AS number, pid, host,
       greatest(0, round(extract(epoch FROM now() - renewed_at) * 1000))::float8 AS "silentMs"
     FROM ${at}.members WHERE ${gone ? `NOT ${isThere}` : isThere} ORDER BY number`,
    [],
  );
}

async function enterBeside(schema: Schema): Promise<number> {
  const { database, at } = schema;
  const [entered] = await database.share(toPlaceLock(schema), () =>
    database.query<{ number: number }>(
      `WITH gone AS (DELETE FROM ${at}.members WHERE renewed_at < now() - interval '1 day')
       INSERT INTO ${at}.members (${columns})
       SELECT nextval('${at}.owners'), $1::int, $2, false WHERE NOT EXISTS (
         SELECT FROM ${at}.members WHERE alone AND ${isThere}
       ) RETURNING number::float8 AS number`,
      [process.pid, hostname()],
    ),
  );
  if (entered !== undefined) return entered.number;
  const message = `Another process, such as a migration, has exclusive use of the schema ${at} of ${database.location}. Wait until it is done.`;
  throw new ContextStoreError(message, { code: 'owned' });
}

async function enterAlone(schema: Schema): Promise<number> {
  const { database, at } = schema;
  return database.transaction(
    async ({ query }) => {
      // Waits for what is being written; what comes later finds its process a member no more.
      await query(`LOCK TABLE ${at}.runs IN SHARE MODE`);
      await query(`DELETE FROM ${at}.members`, []);
      const [entered] = await query<{ number: number }>(
        `INSERT INTO ${at}.members (${columns}) VALUES (nextval('${at}.owners'), $1, $2, true)
         RETURNING number::float8 AS number`,
        [process.pid, hostname()],
      );
      return entered?.number as number;
    },
    { alone: toPlaceLock(schema) },
  );
}

/** Renewals that a process without an open run leaves out: nobody can take anything from it. */
const restingRenewals = 2;

async function keepMembership(
  schema: Schema,
  options: MembershipOptions & { readonly number: number },
): Promise<Ownership> {
  const { number, listOpenings, memory, logger, leaseMs = 5_000, renewMs = 3_000 } = options;
  const { clock = () => performance.now(), repeat = repeatUnreferenced } = options;
  const { database, at } = schema;
  const lost = new AbortController();
  const hold = createHold(schema);
  let leaseEnd = clock() + leaseMs;
  let asking: Promise<void> | null = null;
  let leftOut = 0;
  let isReleased = false;

  function requireHeld(): void {
    if (isReleased) throw wasReleased(at);
    lost.signal.throwIfAborted();
  }

  function lose(loss: ContextStoreError): never {
    stop();
    logger?.error({ number, location: database.location, reason: loss.message }, 'lost ownership');
    lost.abort(loss);
    throw loss;
  }

  /** Asks the database, however long that takes. */
  async function ask(): Promise<void> {
    const sent = clock();
    const wasSilent = sent >= leaseEnd;
    const ours = listOpenings();
    const remember = memory?.ask();
    const [member] = await database.query<Renewal>(
      `UPDATE ${at}.members SET renewed_at = now() WHERE number = $1 RETURNING (
         SELECT count(*)::int FROM ${at}.runs JOIN unnest($2::uuid[], $3::bigint[]) AS ours (uuid, owner) USING (uuid)
         WHERE runs.owner <> ours.owner
       ) AS taken, EXISTS (SELECT FROM ${at}.notes WHERE name = $4) AS "isPaused", (
         SELECT json_agg(json_build_array(uuid, verb) ORDER BY asked_at, verb)::text
         FROM ${at}.controls WHERE uuid = ANY ($2::uuid[])
       ) AS asked`,
      [number, ours.map(({ uuid }) => uuid), ours.map(({ owner }) => owner), pauseName],
    );
    requireHeld();
    if (member === undefined) lose(isNoMember());
    if (wasSilent && member.taken > 0) lose(wasSilentForTooLong());
    leaseEnd = sent + leaseMs;
    leftOut = 0;
    remember?.(toAskedOfRuns(member, ours), () => !isReleased && clock() < leaseEnd);
  }

  function askOnce(): Promise<void> {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  }

  /** An answer to what was asked before a freeze says nothing of now: the lease that it gave is over, too. */
  async function askUntilHeld(): Promise<void> {
    do await askOnce();
    while (clock() >= leaseEnd);
  }

  const episodes = new ErrorEpisodes();
  const stop = repeat(() => {
    if (listOpenings().length === 0 && leftOut < restingRenewals) {
      leftOut += 1;
      return;
    }
    askOnce().then(
      () => episodes.end(''),
      (err: unknown) => {
        if (!lost.signal.aborted && !isReleased && logger)
          episodes.fail('', err, { logger, message: 'failed to renew membership' });
      },
    );
  }, renewMs);

  const forget = await memory?.open(askOnce);
  return {
    number,
    lost: lost.signal,
    requireOwned: () => {
      requireHeld();
      return clock() < leaseEnd ? undefined : askUntilHeld();
    },
    guard: async (write) => {
      requireHeld();
      return hold(async () => {
        await ask();
        return write();
      });
    },
    release: async () => {
      if (isReleased) return;
      stop();
      isReleased = true;
      await forget?.();
      await database.query(`DELETE FROM ${at}.members WHERE number = $1`, [number]);
    },
  };
}

/** Answer to a member that renews its lease. */
interface Renewal {
  /** Number of its runs that others have opened since. */
  readonly taken: number;
  readonly isPaused: boolean;
  /** JSON of pairs of a run and a verb, in their order; null for none. */
  readonly asked: string | null;
}

function toAskedOfRuns({ isPaused, asked }: Renewal, ours: readonly Pick<Writer, 'uuid'>[]): AskedOfRuns {
  const verbs = new Map<string, readonly ControlVerb[]>(ours.map(({ uuid }) => [uuid, []]));
  const pairs = JSON.parse(asked ?? '[]') as readonly [uuid: string, verb: ControlVerb][];
  for (const [uuid, verb] of pairs) verbs.set(uuid, [...(verbs.get(uuid) ?? []), verb]);
  return { isPaused, verbs };
}

/** Keeps everybody from taking the place alone while something is written; one hold for all that is written at a time. */
function createHold(schema: Schema) {
  let current: { count: number; readonly held: Promise<void>; readonly end: () => Promise<void> } | null =
    null;

  function begin() {
    const [entered, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const over = schema.database.share(toPlaceLock(schema), () => {
      entered.resolve();
      return left.promise;
    });
    over.catch(entered.reject);
    const end = () => {
      left.resolve();
      return over.catch(() => undefined);
    };
    return { count: 0, held: entered.promise, end };
  }

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    current ??= begin();
    const ours = current;
    ours.count += 1;
    try {
      await ours.held;
      return await work();
    } finally {
      ours.count -= 1;
      if (ours.count === 0) {
        if (current === ours) current = null;
        await ours.end();
      }
    }
  };
}

function wasSilentForTooLong(): ContextStoreError {
  const message =
    'This process could not reach the database for too long, and other processes have taken over its runs. It exits; start it again.';
  return new ContextStoreError(message, { code: 'owned' });
}

function wasReleased(at: string): ContextStoreError {
  const message = `The schema ${at} was released: nothing more is written there. Acquire it again first.`;
  return new ContextStoreError(message, { code: 'invalid' });
}
