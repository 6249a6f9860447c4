import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of the attacker on loopback. */
export interface Listener {
  readonly url: string;
  /** Requests, and connections without one, in the order in which they came. */
  readonly received: readonly string[];
  readonly close: () => Promise<void>;
}

/** Starts it: it answers everything. */
export async function startListener(): Promise<Listener> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    response.end('thanks');
  });
  server.on('connection', () => received.push('connection'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
