import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { gitHubToken } from './github-forge.ts';
import { gitLabToken } from './gitlab-forge.ts';

const tokens = { GITHUB_TOKEN: gitHubToken, GITLAB_TOKEN: gitLabToken };
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** Arguments of Node that let a daemon wait a hundred times shorter. */
export const quickWaits = ['--import', fileURLToPath(new URL('./quick-waits.ts', import.meta.url))];

export interface DaemonExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Everything that it printed, both streams. */
  readonly output: string;
}

export interface DaemonProcess {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Resolves when a line of the output matches; rejects when the daemon ends before. */
  readonly printed: (pattern: RegExp) => Promise<void>;
  readonly exited: Promise<DaemonExit>;
}

export interface DaemonProcessOptions {
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Further arguments of Node itself. */
  readonly nodeArguments?: readonly string[];
}

/** Runs one of the other commands, as somebody at a terminal does: `['pause', 'acme/shop#1']`. */
export function runDaemonCommand(configFile: string, command: readonly string[]): Promise<DaemonExit> {
  return startAgentDaemon([...command, '--config', configFile], {}).exited;
}

/** Starts the real daemon, from its sources, in a process of its own. */
export function startDaemonProcess(configFile: string, options: DaemonProcessOptions = {}): DaemonProcess {
  const { flags = ['--once'] } = options;
  return startAgentDaemon(['run', '--config', configFile, ...flags], options);
}

function startAgentDaemon(
  commandLine: readonly string[],
  { environment = {}, nodeArguments = [] }: DaemonProcessOptions,
): DaemonProcess {
  const child = spawn(
    process.execPath,
    ['--conditions=@agent/source', ...nodeArguments, main, ...commandLine],
    {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, TZ: 'UTC', ...tokens, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  const listeners = new Set<() => void>();
  const take = (chunk: Buffer): void => {
    output += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const exited = new Promise<DaemonExit>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, output }));
  });
  return {
    child,
    output: () => output,
    exited,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!pattern.test(output)) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        void exited.then(() =>
          reject(new Error(`the daemon ended before it printed ${pattern}:\n${output}`)),
        );
        look();
      }),
  };
}
