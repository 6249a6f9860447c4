import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** What a way to a server does to who takes it. */
export type ProxyFault =
  /** Breaks connections off, and takes no new ones. */
  | 'refuses'
  /** Takes connections and what is sent, and passes nothing on in either direction. */
  | 'hangs'
  /** Passes on what is sent; breaks the connection off in the place of the answer. */
  | 'loses-answers';

/** A way to a server on this machine, which can be broken. */
export interface TcpProxy {
  readonly port: number;
  /** Breaks the way; null mends it. What hangs stays so until its connection ends. */
  readonly set: (fault: ProxyFault | null) => void;
  /** Connections that were opened so far. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

/**
 * Opens a way to a port of 127.0.0.1.
 *
 * @example
 * const proxy = await startProxy({ port: server.port });
 * proxy.set('loses-answers');
 */
export async function startProxy({ port }: { readonly port: number }): Promise<TcpProxy> {
  let fault: ProxyFault | null = null;
  let count = 0;
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket));
  };

  function join(near: Socket): void {
    count += 1;
    keep(near);
    if (fault === 'refuses') return void near.resetAndDestroy();
    const far = connect(port, '127.0.0.1');
    keep(far);
    near.on('data', (sent) => {
      if (fault !== 'hangs') far.write(sent);
    });
    far.on('data', (answer) => {
      if (fault === 'loses-answers') near.resetAndDestroy();
      else if (fault !== 'hangs') near.write(answer);
    });
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  }

  const server = createServer(join).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const breakAll = () => {
    for (const socket of open) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    set: (next) => {
      fault = next;
      if (next === 'refuses') breakAll();
    },
    connections: () => count,
    close: async () => {
      breakAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
