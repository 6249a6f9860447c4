import { readdir, readFile } from 'node:fs/promises';
import { type DaemonExit, type DaemonProcess, startDaemonProcess } from '../../support/daemon-process.ts';
import { apart } from './namespaces.ts';

/** One process of the daemon in a trial. */
export interface DaemonLife {
  readonly process: DaemonProcess;
  readonly isAlive: () => boolean;
  /** SIGKILL to the daemon alone. */
  readonly kill: () => Promise<void>;
  /** SIGKILL to the daemon and all that it started. */
  readonly killTree: () => Promise<void>;
  readonly freeze: () => Promise<void>;
  readonly wake: () => Promise<void>;
  /** SIGTERM, and the wait for its end. */
  readonly stop: () => Promise<DaemonExit>;
  /** Resolves at its end; a process that lives too long is killed, and counts as one that hangs. */
  readonly exited: Promise<DaemonExit & { readonly hung: boolean }>;
}

export interface LifeSettings {
  readonly configFile: string;
  readonly temporary: string;
  /** False: it goes on polling. */
  readonly once: boolean;
  /** How many times faster it waits. */
  readonly speed: number;
  readonly environment: Readonly<Record<string, string>>;
  /** In process ids, network and host name of its own. */
  readonly apart: boolean;
  /** Modules that are loaded before it. */
  readonly preloads: readonly string[];
}

/** Many times what a life takes on a busy machine. */
const longestLifeMs = 180_000;
const relay = ['--import', new URL('./relay-preload.ts', import.meta.url).href];
const quickWaits = ['--import', new URL('../../support/quick-waits.ts', import.meta.url).href];

export function startLife(settings: LifeSettings): DaemonLife {
  const { configFile, temporary, once, speed, environment, apart: isApart, preloads } = settings;
  const loaded = [...quickWaits, ...(isApart ? relay : []), ...preloads.flatMap((one) => ['--import', one])];
  const process = startDaemonProcess(configFile, {
    flags: once ? ['--once'] : ['--no-live'],
    nodeArguments: loaded,
    launcher: isApart ? apart : [],
    environment: { ...environment, TMPDIR: temporary, WAIT_SPEED: String(speed) },
    alone: true,
  });
  const { child } = process;
  let isOver = false;
  let hung = false;
  const timer = setTimeout(() => {
    hung = true;
    child.kill('SIGKILL');
  }, longestLifeMs);
  const exited = process.exited.then((exit) => {
    isOver = true;
    clearTimeout(timer);
    return { ...exit, hung };
  });
  const signal = (name: NodeJS.Signals): void => void (isOver || child.kill(name));
  /** To the daemon itself, which a launcher has started. */
  const signalInside = async (name: NodeJS.Signals): Promise<void> => {
    if (!isApart) return signal(name);
    const [daemon] = isOver ? [] : await listDescendants(child.pid ?? 0);
    if (daemon !== undefined) signalQuietly(daemon, name);
  };
  return {
    process,
    isAlive: () => !isOver,
    kill: async () => {
      signal('SIGKILL');
      await exited;
    },
    killTree: async () => {
      const tree = isOver ? [] : await listDescendants(child.pid ?? 0);
      signal('SIGKILL');
      for (const id of tree) signalQuietly(id, 'SIGKILL');
      await exited;
    },
    freeze: () => signalInside('SIGSTOP'),
    wake: () => signalInside('SIGCONT'),
    stop: async () => {
      await signalInside('SIGTERM');
      return exited;
    },
    exited,
  };
}

/** Ids of all processes that one started, and of those that these started. */
async function listDescendants(root: number): Promise<readonly number[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const pairs = await Promise.all(
    ids.map(async (id) => {
      const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
      // After the name, which may hold blanks and parentheses: state, then the parent.
      return [Number(id), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])] as const;
    }),
  );
  const found: number[] = [];
  let parents = [root];
  while (parents.length > 0) {
    parents = pairs.filter(([, parent]) => parents.includes(parent)).map(([id]) => id);
    found.push(...parents);
  }
  return found;
}

function signalQuietly(id: number, name: NodeJS.Signals): void {
  try {
    process.kill(id, name);
  } catch {
    // It has ended meanwhile.
  }
}
