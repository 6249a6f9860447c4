import type { Database } from '../src/postgres/database.ts';
import { createPostgresStorage, type PostgresStorageOptions } from '../src/postgres/postgres-storage.ts';
import { parseMessage, type TestMessage } from '../src/testing/store-setup.ts';
import { openTestPglite } from './test-databases.ts';

interface TimedProcessOptions extends Partial<PostgresStorageOptions> {
  readonly schema: string;
  readonly exclusive?: boolean | undefined;
}

/** Starts a member of a cluster with a clock of its own, which renews its lease when it is told to. */
export async function startTimedProcess({ exclusive, ...options }: TimedProcessOptions) {
  let time = 0;
  let renew: () => void = () => undefined;
  const statements: string[] = [];
  const database: Database = options.database ?? (await openTestPglite());
  const storage = createPostgresStorage({
    clock: () => time,
    repeat: (task) => {
      renew = task;
      return () => {
        renew = () => undefined;
      };
    },
    ...options,
    database: {
      ...database,
      query: (text, values) => {
        statements.push(text);
        return database.query(text, values);
      },
    },
  });
  const owner = await storage.members.acquire({ exclusive });
  return {
    ...{ storage, owner, statements },
    store: storage.openStore<TestMessage>({ owner, parseMessage }),
    renew: () => renew(),
    /** Lets time pass for this process alone, as if it were frozen. */
    pass: (ms: number) => {
      time += ms;
    },
  };
}
