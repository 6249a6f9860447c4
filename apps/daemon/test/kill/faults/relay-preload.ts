/**
 * Loaded with `node --import` into a daemon in a network of its own: there, it stands in for the servers of the trial, and
 * leads to them through sockets of the file system.
 */
import { connect, createServer } from 'node:net';

const relays = JSON.parse(process.env.RELAYS ?? '{}') as Readonly<Record<string, string>>;

await Promise.all(
  Object.entries(relays).map(
    ([port, path]) =>
      new Promise<void>((resolve) => {
        const server = createServer((client) => {
          const upstream = connect(path);
          client.pipe(upstream).pipe(client);
          client.on('error', () => upstream.destroy());
          upstream.on('error', () => client.destroy());
          // What is open does not keep the daemon.
          client.unref();
          upstream.unref();
        });
        server.listen(Number(port), '127.0.0.1', resolve).unref();
      }),
  ),
);
