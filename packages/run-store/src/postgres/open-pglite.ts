import type { PGlite } from '@electric-sql/pglite';
import { type Database, type Queryable, toSettings } from './database.ts';
import { toDatabaseError } from './outage.ts';

const location = 'PGlite';

/**
 * Uses a PGlite of this process as a database. Its owner opened it, and closes it.
 *
 * @example
 * const database = openPglite(new PGlite('./agent-db'));
 */
export function openPglite(pglite: PGlite): Database {
  const { share, alone } = findLocks(pglite);
  const transaction: Database['transaction'] = async (use, options) => {
    const given = toSettings(options?.settings ?? {});
    const begin = () =>
      translated(
        pglite.transaction(async (client) => {
          if (given.length > 0) await client.exec(`SELECT ${given.join(', ')}`);
          return use(toQueryable(client));
        }),
      );
    return options?.alone === undefined ? begin() : alone(options.alone, begin);
  };
  return {
    ...{ location, isUnencrypted: false, transaction, share },
    query: toQueryable(pglite).query,
    listen: async (channel, listener) => {
      let isOver = false;
      // What it notifies after an end of the listening still comes.
      const stop = await pglite.listen(`"${channel}"`, (payload) => {
        if (!isOver) listener(payload);
      });
      return async () => {
        isOver = true;
        await stop();
      };
    },
    findObstacle: () => null,
    close: async () => undefined,
  };
}

type Client = Pick<PGlite, 'query' | 'exec'>;

/** Without values a text may hold several statements. */
function toQueryable(client: Client): Queryable {
  return {
    query: async <Row extends object>(text: string, values?: readonly unknown[]) => {
      if (values === undefined)
        return (await translated(client.exec(text))).flatMap(({ rows }) => rows as Row[]);
      return (await translated(client.query<Row>(text, [...values]))).rows;
    },
  };
}

function translated<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    throw toDatabaseError(error, location);
  });
}

type Locks = ReturnType<typeof createLocks>;

/** One for each PGlite: all that use it are in this process, and share its one connection. */
const locksOf = new WeakMap<object, Locks>();

function findLocks(pglite: PGlite): Locks {
  const locks = locksOf.get(pglite) ?? createLocks();
  locksOf.set(pglite, locks);
  return locks;
}

/** Locks by name, which any number share or one holds. */
function createLocks() {
  const shared = new Map<string, Set<Promise<unknown>>>();
  const held = new Map<string, Promise<unknown>>();
  const rest = (name: string) => held.get(name) ?? Promise.resolve();

  async function share<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    let waited: unknown;
    do {
      waited = held.get(name);
      await waited;
      // Somebody may have asked for it alone meanwhile.
    } while (held.get(name) !== waited);
    const sharing = shared.get(name) ?? new Set();
    shared.set(name, sharing);
    const working = work();
    const settled = working.catch(() => undefined);
    sharing.add(settled);
    return working.finally(() => sharing.delete(settled));
  }

  function alone<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const working = rest(name).then(async () => {
      while (shared.get(name)?.size) await Promise.all(shared.get(name) ?? []);
      return work();
    });
    held.set(
      name,
      working.catch(() => undefined),
    );
    return working;
  }

  return { share, alone };
}
