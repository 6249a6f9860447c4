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

/** Sees what passes one connection, and may hold it, or break the connection off in its place: false. */
export interface ProxyWatch {
  readonly sent: (chunk: Buffer) => boolean | Promise<boolean>;
  readonly answered: (chunk: Buffer) => boolean | Promise<boolean>;
}

export interface ProxyOptions {
  /** Of 127.0.0.1: where the way leads. */
  readonly port: number;
  /** Address that it begins at. Default 127.0.0.1. */
  readonly host?: string;
  /** Called for each connection. Default nobody sees what passes. */
  readonly watch?: () => ProxyWatch;
}

/** A way to a server on this machine, which can be broken. */
export interface TcpProxy {
  readonly port: number;
  /** Breaks the way; null mends it. What hangs stays so until its connection ends. */
  readonly set: (fault: ProxyFault | null) => void;
  /** Leads what connects from now on to another port, as a name does that is given to another server. */
  readonly lead: (port: number) => void;
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
export async function startProxy({ host = '127.0.0.1', watch, ...to }: ProxyOptions): Promise<TcpProxy> {
  let { port } = to;
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
    const eyes = watch?.();
    near.on('data', (sent) =>
      see(near, eyes?.sent(sent) ?? true, () => {
        if (fault !== 'hangs') far.write(sent);
      }),
    );
    far.on('data', (answer) =>
      see(far, eyes?.answered(answer) ?? true, () => {
        if (fault === 'loses-answers') near.resetAndDestroy();
        else if (fault !== 'hangs') near.write(answer);
      }),
    );
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  }

  const server = createServer(join).listen(0, host);
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
    lead: (next) => {
      port = next;
    },
    connections: () => count,
    close: async () => {
      breakAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Passes on what came from a socket, as soon as it is said whether. What comes behind it waits. */
function see(from: Socket, passes: boolean | Promise<boolean>, pass: () => void): void {
  if (typeof passes === 'boolean') {
    if (passes) pass();
    else from.resetAndDestroy();
    return;
  }
  from.pause();
  void passes.then((isPassed) => {
    if (from.destroyed) return;
    see(from, isPassed, pass);
    from.resume();
  });
}
