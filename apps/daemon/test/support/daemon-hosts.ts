import { type ChildProcess, spawn } from 'node:child_process';
import { findProgram } from './daemon-programs.ts';
import { endOfOutput, type HostedCommand } from './hosted-command.ts';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One command in a process; `exitCode` and `kill` are those of the command. */
export interface HostedProcess {
  readonly child: Pick<ChildProcess, 'pid' | 'exitCode' | 'kill'>;
  readonly ended: Promise<Exit>;
}

export interface HostOptions extends HostedCommand {
  /** The directory that the command works in: no process ever serves one twice. Null: any process will do. */
  readonly place: string | null;
  /** Arguments of Node itself. */
  readonly nodeArguments: readonly string[];
  readonly onOutput: (text: string) => void;
}

interface Host {
  readonly child: ChildProcess;
  readonly kind: string;
  readonly places: Set<string>;
  busy: boolean;
}

const hosts = new Set<Host>();

/**
 * Carries out a command of the daemon in a process that has carried out others before: to start one anew costs twenty
 * times as much. A daemon that is started again in a directory always meets a process that knows nothing of it.
 */
export function runHosted(options: HostOptions): HostedProcess {
  const kind = options.nodeArguments.join(' ');
  const host = findHost(kind, options.place) ?? startHost(kind, options.nodeArguments);
  if (options.place !== null) host.places.add(options.place);
  host.busy = true;
  return follow(host, options);
}

function findHost(kind: string, place: string | null): Host | undefined {
  return [...hosts].find(
    (host) => !host.busy && host.kind === kind && (place === null || !host.places.has(place)),
  );
}

function startHost(kind: string, nodeArguments: readonly string[]): Host {
  const { PATH, HOME, TMPDIR } = process.env;
  const program = findProgram('host');
  const child = spawn(process.execPath, [...nodeArguments, ...program.nodeArguments], {
    env: { PATH, HOME, TMPDIR, TZ: 'UTC', ...program.environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const host: Host = { child, kind, places: new Set(), busy: false };
  hosts.add(host);
  child.once('exit', () => hosts.delete(host));
  for (const stream of outputs(child)) stream.setEncoding('utf8');
  // It ends with this process and does not keep it.
  child.unref();
  child.channel?.unref();
  return host;
}

function follow(host: Host, { commandLine, environment, onOutput }: HostOptions): HostedProcess {
  const { child } = host;
  let exitCode: number | null = null;
  let isOver = false;
  const ended = new Promise<Exit>((resolve, reject) => {
    // Its exit code, and the end of each stream.
    let awaited = 3;
    const end = (code: number | null, signal: NodeJS.Signals | null): void => {
      for (const stream of outputs(child)) stream.removeAllListeners('data');
      child.off('message', takeCode).off('close', end).off('error', reject);
      exitCode = code;
      isOver = true;
      host.busy = false;
      resolve({ code, signal });
    };
    const endOne = (): void => {
      awaited -= 1;
      if (awaited === 0) end(exitCode, null);
    };
    const takeCode = (code: unknown): void => {
      exitCode = Number(code);
      isOver = true;
      endOne();
    };
    for (const stream of outputs(child)) {
      let isOpen = true;
      stream.on('data', (text: string) => {
        // What comes behind its end is not the command's.
        const end = text.indexOf(endOfOutput);
        if (isOpen) onOutput(end < 0 ? text : text.slice(0, end));
        if (!isOpen || end < 0) return;
        isOpen = false;
        endOne();
      });
    }
    child.once('message', takeCode).once('close', end).once('error', reject);
  });
  child.send({ commandLine, environment } satisfies HostedCommand);
  const kill: ChildProcess['kill'] = (signal) => !isOver && child.kill(signal);
  return {
    ended,
    child: {
      pid: child.pid,
      kill,
      get exitCode() {
        return exitCode;
      },
    },
  };
}

function outputs({ stdout, stderr }: ChildProcess): NodeJS.ReadableStream[] {
  return [stdout, stderr].filter((stream) => stream !== null);
}
