import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProxyFault, startProxy, type TcpProxy } from '@agent/simulators/postgres';
import { startFaultProxy } from '../kill/faults/fault-proxy.ts';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon-process.ts';
import { type Host, type OpenHost, type Way, ways } from './hosts.ts';
import type { Watcher } from './watcher.ts';

/** How a way is broken: by a proxy, or by a link that is down. */
export type Cut = ProxyFault | 'unplugged';

export type Role = 'look' | 'work';

/** One process of a cluster as on a host of its own, which can be started again and again. */
export interface ClusterProcess {
  readonly name: string;
  readonly role: Role;
  /** Its own copy of the configuration. */
  readonly configFile: string;
  /** All that it printed in this life. */
  readonly output: () => string;
  /** All that it printed in all of its lives. */
  readonly outputs: () => string;
  readonly isAlive: () => boolean;
  /** How often it was started. */
  readonly lives: () => number;
  /** Starts it; one that ends by itself is started again, as a service manager does. */
  readonly start: () => void;
  /** Kills it; it stays so until it is started. */
  readonly kill: () => Promise<void>;
  readonly freeze: () => void;
  readonly wake: () => void;
  /** Has it read its configuration again. */
  readonly reload: () => void;
  /** Breaks ways off. @returns what mends them */
  readonly cut: (ways: readonly Way[], how: Cut) => Promise<() => Promise<void>>;
  /** True while a way is broken. */
  readonly isCut: () => boolean;
  /** Whether a link of it can be taken down. */
  readonly hasLinks: boolean;
  /** Asks it to end, for good. @returns whether it did in time */
  readonly stop: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

export interface ProcessSettings {
  readonly name: string;
  readonly role: Role;
  readonly configFile: string;
  readonly directory: string;
  /** Addresses of the servers, as everybody calls them. */
  readonly servers: Readonly<Record<Way, string>>;
  readonly watcher: Watcher;
  readonly openHost: OpenHost;
}

const preload = new URL('./route-preload.ts', import.meta.url).href;
/** Many times what an end takes on a busy machine. */
const longestEndMs = 60_000;
/** Until a process that ended by itself is started again. */
const restartMs = 500;

export async function openProcess(settings: ProcessSettings): Promise<ClusterProcess> {
  const { name, role, servers } = settings;
  const directory = join(settings.directory, name);
  const configFile = join(directory, 'agent.config.yaml');
  await mkdir(join(directory, 'tmp'), { recursive: true });
  await writeFile(configFile, await readFile(settings.configFile, 'utf8'));
  const host = await settings.openHost();
  const { own, closeWays } = await openWays(host, settings);
  const environment = toEnvironment({ servers, host, own, temporary: join(directory, 'tmp') });
  const lives: DaemonProcess[] = [];
  let isWanted = false;
  let isAlive = false;
  let cuts = 0;
  const live = () => lives.at(-1);

  function start(): void {
    isWanted = true;
    if (isAlive) return;
    const daemon = startDaemonProcess(configFile, {
      flags: ['--role', role, '--no-live'],
      nodeArguments: ['--import', preload],
      ...{ environment, launcher: host.launcher, alone: true },
    });
    isAlive = true;
    lives.push(daemon);
    void daemon.exited.then(() => {
      isAlive = false;
      if (isWanted) setTimeout(() => isWanted && start(), restartMs);
    });
  }

  async function kill(): Promise<void> {
    isWanted = false;
    if (isAlive) live()?.child.kill('SIGKILL');
    await live()?.exited;
  }

  async function cut(cutWays: readonly Way[], how: Cut): Promise<() => Promise<void>> {
    cuts += 1;
    if (how === 'unplugged') await host.unplug?.(cutWays, true);
    else for (const way of cutWays) own[way].set(how);
    return async () => {
      cuts -= 1;
      if (how === 'unplugged') return host.unplug?.(cutWays, false);
      // What hangs is broken off first, and then mended.
      for (const way of cutWays) own[way].set('refuses');
      for (const way of cutWays) own[way].set(null);
    };
  }

  return {
    ...{ name, role, configFile, start, kill, cut, hasLinks: host.unplug !== null },
    output: () => live()?.output() ?? '',
    outputs: () => lives.map(({ output }) => output()).join('\n--- started again\n'),
    isAlive: () => isAlive,
    isCut: () => cuts > 0,
    lives: () => lives.length,
    freeze: () => void live()?.child.kill('SIGSTOP'),
    wake: () => void live()?.child.kill('SIGCONT'),
    reload: () => void live()?.child.kill('SIGHUP'),
    stop: async () => {
      isWanted = false;
      if (isAlive) live()?.child.kill('SIGTERM');
      const timer = setTimeout(() => live()?.child.kill('SIGKILL'), longestEndMs);
      const exit = await live()?.exited;
      clearTimeout(timer);
      return exit?.signal !== 'SIGKILL';
    },
    close: async () => {
      if (isAlive) live()?.child.kill('SIGCONT');
      await kill();
      await closeWays();
      await host.close();
    },
  };
}

/** Opens a way to each server that begins at the host: what passes it is seen. */
async function openWays({ addresses }: Host, { name, servers, watcher }: ProcessSettings) {
  const desk = watcher.deskOf(name);
  const seeing = await Promise.all([
    startFaultProxy(servers.forge, { desk }),
    startFaultProxy(servers.model, { desk }),
  ]);
  const [forge, model] = seeing.map(({ url }) => Number(new URL(url).port)) as [number, number];
  const watch = () => watcher.watchDatabase(name);
  const own = {
    database: await startProxy({ port: portOf(servers.database), host: addresses.database, watch }),
    forge: await startProxy({ port: forge, host: addresses.forge }),
    model: await startProxy({ port: model, host: addresses.model }),
  };
  const closeWays = async () => {
    await Promise.all(ways.map((way) => own[way].close()));
    await Promise.all(seeing.map(({ close }) => close()));
  };
  return { own, closeWays };
}

const portOf = (url: string): number => Number(new URL(url).port);

interface Surroundings extends Pick<ProcessSettings, 'servers'> {
  readonly host: Host;
  readonly own: Readonly<Record<Way, TcpProxy>>;
  readonly temporary: string;
}

function toEnvironment({ servers, host, own, temporary }: Surroundings): Record<string, string> {
  const { addresses } = host;
  const database = new URL(servers.database);
  database.host = `${addresses.database}:${own.database.port}`;
  const routes = Object.fromEntries(
    (['forge', 'model'] as const).map((way) => [
      portOf(servers[way]),
      { host: addresses[way], port: own[way].port },
    ]),
  );
  return {
    DATABASE_URL: database.href,
    CLUSTER_ROUTES: JSON.stringify(routes),
    http_proxy: `http://${addresses.forge}:${own.forge.port}`,
    TMPDIR: temporary,
  };
}
