import { fileURLToPath } from 'node:url';
import { serve } from '@hono/node-server';
import { createPage } from '../../src/index.ts';
import { createFakeWorld, type FakeWorld, TOKEN } from './fake-world.ts';

/** A page with a fake world behind it, on a free port of loopback. */
export interface ServedWorld {
  readonly world: FakeWorld;
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves one. */
export async function serveFakeWorld({ tasks = 40, port = 0 } = {}): Promise<ServedWorld> {
  const world = createFakeWorld({ tasks });
  const settings = {
    reload: async () => ({ status: 'taken', changed: ['limits'], needRestart: [] }) as const,
  };
  const { reader, health, changes, actions, logins, audit } = world;
  const page = createPage({
    ...{ reader, health, changes, actions, logins, audit },
    ...{ settings, tokenCommand: 'agent-daemon token' },
  });
  const { server, address } = await new Promise<{
    server: ReturnType<typeof serve>;
    address: { port: number };
  }>((resolve) => {
    const started = serve({ fetch: page.fetch, port, hostname: '127.0.0.1' }, (info) =>
      resolve({ server: started, address: info }),
    );
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      if ('closeAllConnections' in server) server.closeAllConnections();
    });
  return { world, url: `http://127.0.0.1:${address.port}`, close };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await serveFakeWorld({ tasks: Number(process.argv[2] ?? 5000), port: 4180 });
  console.log(`${url}/login, token ${TOKEN}`);
}
