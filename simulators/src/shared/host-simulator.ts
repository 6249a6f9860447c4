import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Git } from './git/git.ts';
import { listen } from './listen.ts';

interface Hosting<Simulation> {
  /** Name of the folder for the repositories begins so. */
  readonly folderPrefix: string;
  /** 0: a free one. */
  readonly port: number;
  readonly create: (folder: string, closing: AbortSignal) => Simulation;
  readonly handle: (
    simulation: Simulation,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ) => Promise<void>;
}

/** Gives a simulator a folder and a port on 127.0.0.1, and takes both back when it is closed. */
export async function hostSimulator<Simulation extends { readonly git: Git }>(
  hosting: Hosting<Simulation>,
): Promise<{
  readonly simulation: Simulation;
  readonly url: string;
  readonly close: () => Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), hosting.folderPrefix));
  const closing = new AbortController();
  const simulation = hosting.create(folder, closing.signal);
  const server = createServer((incoming, outgoing) => {
    hosting.handle(simulation, incoming, outgoing).catch(() => outgoing.destroy());
  });
  const port = await listen(server, hosting.port).catch(async (error: unknown) => {
    await rm(folder, { recursive: true });
    throw error;
  });
  return {
    simulation,
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      closing.abort();
      server.closeAllConnections();
      await simulation.git.stop();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
