/** Way from one place to another: ports of the command's own loopback are numbers, sockets are paths. */
export type BridgeRoute = readonly [from: number | string, to: number | string];

/**
 * A program of Node without types or modules of ours, because it runs in the sandbox: ways between ports of its loopback and
 * sockets, and then the command, whose end is its own.
 */
const script = `
const net = require('node:net');
const { spawn } = require('node:child_process');
const [routes, program, ...args] = process.argv.slice(1);
const reported = new Set();
// A client rarely shows why a tunnel was refused: the command gets the reason on standard error.
const report = (outside) => outside.once('data', (head) => {
  const [lines, reason = ''] = head.toString('latin1').split('\\r\\n\\r\\n', 2);
  if (!/^HTTP\\/1\\.1 403 [^]*\\r\\nproxy-status: agent;/.test(lines) || reported.has(reason)) return;
  reported.add(reason);
  console.error(reason.trim());
});
const join = (from, to) => {
  from.pipe(to);
  from.on('error', () => to.destroy());
  from.on('close', () => to.destroy());
};
const at = (place) => typeof place === 'number' ? { port: place, host: '127.0.0.1' } : { path: place };
const open = ([from, to]) => new Promise((resolve, reject) => {
  const server = net.createServer({ allowHalfOpen: true }, (inside) => {
    const outside = net.connect({ ...at(to), allowHalfOpen: true });
    report(outside);
    join(inside, outside);
    join(outside, inside);
  });
  server.once('error', reject).listen(at(from), resolve);
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
  console.error('The connection to the network could not be opened: ' + error.message);
  process.exit(126);
});`;

/**
 * Makes the beginning of a command that has a network of its own: ports of its loopback lead to sockets, because programs speak
 * to proxies and registries by a port, and sockets to ports, for what other commands may reach of it.
 */
export function bridgeCommand(routes: readonly BridgeRoute[]): readonly string[] {
  return routes.length === 0 ? [] : [process.execPath, '-e', script, '--', JSON.stringify(routes)];
}
