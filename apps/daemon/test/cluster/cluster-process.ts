import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProxyFault, startProxy, type TcpProxy } from '@agent/simulators/postgres';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon-process.ts';

/** A server that processes reach each by a way of their own. */
export type Way = 'database' | 'forge' | 'model';

/** One process of a cluster as on a host of its own, which can be started again and again. */
export interface ClusterProcess {
  readonly name: string;
  readonly role: 'look' | 'work';
  /** All that it printed in this life. */
  readonly output: () => string;
  /** All that it printed in all of its lives. */
  readonly outputs: () => string;
  readonly isAlive: () => boolean;
  readonly start: () => void;
  /** Kills it. */
  readonly kill: () => Promise<void>;
  readonly freeze: () => void;
  readonly wake: () => void;
  /** Breaks ways off, or mends them with null. */
  readonly cut: (ways: readonly Way[], fault: ProxyFault | null) => void;
  /** Asks it to end. @returns whether it did in time */
  readonly stop: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

export interface ProcessSettings {
  readonly name: string;
  readonly role: 'look' | 'work';
  readonly configFile: string;
  readonly directory: string;
  readonly databaseUrl: string;
  /** Ports of the servers, as everybody calls them. */
  readonly ports: Readonly<Record<'forge' | 'model', number>>;
}

const ways: readonly Way[] = ['database', 'forge', 'model'];
const preload = new URL('./route-preload.ts', import.meta.url).href;
/** Many times what an end takes on a busy machine. */
const longestEndMs = 60_000;

export async function openProcess(settings: ProcessSettings): Promise<ClusterProcess> {
  const { name, role, databaseUrl, ports } = settings;
  const directory = join(settings.directory, name);
  const configFile = join(directory, 'agent.config.yaml');
  await mkdir(join(directory, 'tmp'), { recursive: true });
  await writeFile(configFile, await readFile(settings.configFile, 'utf8'));
  const own = {
    database: await startProxy({ port: Number(new URL(databaseUrl).port) }),
    forge: await startProxy({ port: ports.forge }),
    model: await startProxy({ port: ports.model }),
  };
  const lives: DaemonProcess[] = [];
  let isAlive = false;
  const live = () => lives.at(-1);

  function start(): void {
    if (isAlive) return;
    const daemon = startDaemonProcess(configFile, {
      flags: ['--role', role, '--no-live'],
      nodeArguments: ['--import', preload],
      environment: toEnvironment({ databaseUrl, ports, own, temporary: join(directory, 'tmp') }),
      alone: true,
    });
    isAlive = true;
    lives.push(daemon);
    void daemon.exited.then(() => {
      if (live() === daemon) isAlive = false;
    });
  }

  async function kill(): Promise<void> {
    live()?.child.kill('SIGKILL');
    await live()?.exited;
  }

  return {
    ...{ name, role, start, kill },
    output: () => live()?.output() ?? '',
    outputs: () => lives.map(({ output }) => output()).join('\n--- started again\n'),
    isAlive: () => isAlive,
    freeze: () => void live()?.child.kill('SIGSTOP'),
    wake: () => void live()?.child.kill('SIGCONT'),
    cut: (cutWays, fault) => {
      // What hangs is broken off first, and then mended.
      for (const way of cutWays) {
        if (fault === null) own[way].set('refuses');
        own[way].set(fault);
      }
    },
    stop: async () => {
      live()?.child.kill('SIGTERM');
      const timer = setTimeout(() => live()?.child.kill('SIGKILL'), longestEndMs);
      const exit = await live()?.exited;
      clearTimeout(timer);
      return exit?.signal !== 'SIGKILL';
    },
    close: async () => {
      live()?.child.kill('SIGCONT');
      await kill();
      await Promise.all(ways.map((way) => own[way].close()));
    },
  };
}

interface Surroundings extends Pick<ProcessSettings, 'databaseUrl' | 'ports'> {
  readonly own: Readonly<Record<Way, TcpProxy>>;
  readonly temporary: string;
}

function toEnvironment({ databaseUrl, ports, own, temporary }: Surroundings): Record<string, string> {
  const url = new URL(databaseUrl);
  url.port = String(own.database.port);
  const routes = { [ports.forge]: own.forge.port, [ports.model]: own.model.port };
  return {
    DATABASE_URL: url.href,
    CLUSTER_ROUTES: JSON.stringify(routes),
    http_proxy: `http://127.0.0.1:${own.forge.port}`,
    TMPDIR: temporary,
  };
}
