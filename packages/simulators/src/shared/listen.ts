import { once } from 'node:events';
import type { Server } from 'node:http';

/** Place at which a server listens. */
export interface ListenOptions {
  /** Default 0: a free one. */
  readonly port?: number | undefined;
  /** Address of this machine; default 127.0.0.1, which nobody else reaches. */
  readonly host?: string | undefined;
}

/** Opens a server and gives its origin, such as `http://127.0.0.1:41234`. */
export async function listen(server: Server, options: ListenOptions = {}): Promise<string> {
  const { port = 0, host = '127.0.0.1' } = options;
  // A connection that the server closes just as a client uses it again would look like a failure nobody asked for.
  server.keepAliveTimeout = 0;
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

export async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
