import { createServer } from 'node:http';
import { listen, stop } from '../shared/listen.ts';
import { type PostgresServer, startPostgres } from './start-postgres.ts';

const variable = 'AGENT_TEST_POSTGRES';

/** Before all tests: opens a door at which any of their processes asks for the one server; it is started at the first knock. */
export default async function offerPostgres(): Promise<() => Promise<void>> {
  let started: Promise<PostgresServer> | null = null;
  const door = createServer(async (_, response) => {
    started ??= startPostgres({ settings: { max_connections: '300' } });
    const answer = await started.then(
      ({ url }) => ({ url }),
      (error: unknown) => ({ error: String(error) }),
    );
    response.end(JSON.stringify(answer));
  });
  process.env[variable] = await listen(door);
  return async () => {
    await stop(door);
    await (await started)?.remove();
  };
}

/** Address of the server that all tests of one run share; each takes a schema of its own there. */
export async function findSharedPostgres(): Promise<string> {
  const door = process.env[variable];
  if (door === undefined)
    throw new Error('No server is offered here. Run the tests with the vitest.config.ts of the repository.');
  const { url, error } = (await (await fetch(door)).json()) as { url?: string; error?: string };
  if (url === undefined) throw new Error(error);
  return url;
}
