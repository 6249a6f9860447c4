import { once } from 'node:events';
import type { Server } from 'node:http';

/** Opens a server on 127.0.0.1 and gives its port. 0: a free one. */
export async function listen(server: Server, port: number): Promise<number> {
  // A connection that the server closes just as a client uses it again would look like a failure nobody asked for.
  server.keepAliveTimeout = 0;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

export async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
