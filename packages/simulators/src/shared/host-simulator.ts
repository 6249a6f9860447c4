import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Git } from './git/git.ts';
import { type ListenOptions, listen } from './listen.ts';

interface Hosting<Simulation> {
  /** Name of the folder for the repositories begins so. */
  readonly folderPrefix: string;
  readonly listening: ListenOptions;
  readonly create: (folder: string, closing: AbortSignal) => Simulation;
  readonly handle: (
    simulation: Simulation,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ) => Promise<void>;
}

/** Gives a simulator a folder and a port, and takes both back when it is closed. */
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
  const url = await listen(server, hosting.listening).catch(async (error: unknown) => {
    await rm(folder, { recursive: true });
    throw error;
  });
  return {
    simulation,
    url,
    close: async () => {
      closing.abort();
      server.closeAllConnections();
      await simulation.git.stop();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
