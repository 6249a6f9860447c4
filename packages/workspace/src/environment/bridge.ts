/** Path of a socket outside, by the port that leads to it inside. */
export type BridgeRoute = readonly [port: number, socket: string];

/**
 * A program of Node without types or modules of ours, because it runs in the sandbox: ports on loopback, each of which leads
 * to a socket, and then the command, whose end is its own.
 */
const script = `
const net = require('node:net');
const { spawn } = require('node:child_process');
const [routes, program, ...args] = process.argv.slice(1);
const join = (from, to) => {
  from.pipe(to);
  from.on('error', () => to.destroy());
  from.on('close', () => to.destroy());
};
const open = ([port, path]) => new Promise((resolve, reject) => {
  const server = net.createServer({ allowHalfOpen: true }, (inside) => {
    const outside = net.connect({ path, allowHalfOpen: true });
    join(inside, outside);
    join(outside, inside);
  });
  server.once('error', reject).listen(port, '127.0.0.1', resolve);
});
const end = (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
};
Promise.all(JSON.parse(routes).map(open)).then(() => {
  const child = spawn(program, args, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => { console.error(error.message); process.exit(127); });
  child.once('exit', end);
}, (error) => {
  console.error('The way to the network could not be opened: ' + error.message);
  process.exit(126);
});`;

/**
 * Makes the beginning of a command that has a network of its own: ports of its loopback lead to sockets of the daemon,
 * because programs speak to proxies and registries by a port.
 */
export function bridgeCommand(routes: readonly BridgeRoute[]): readonly string[] {
  return routes.length === 0 ? [] : [process.execPath, '-e', script, '--', JSON.stringify(routes)];
}
