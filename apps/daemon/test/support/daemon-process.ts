import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Exit, type HostedProcess, type HostOptions, runHosted } from './daemon-hosts.ts';
import { findProgram } from './daemon-programs.ts';
import { gitHubToken } from './github-forge.ts';
import { gitLabToken } from './gitlab-forge.ts';

const tokens = { GITHUB_TOKEN: gitHubToken, GITLAB_TOKEN: gitLabToken };

/** Arguments of Node that let a daemon wait a hundred times shorter. */
export const quickWaits = ['--import', fileURLToPath(new URL('./quick-waits.ts', import.meta.url))];

/** Those that let it give up after a second what it would give up after a minute or later. */
export const quickMinutes = ['--import', fileURLToPath(new URL('./quick-minutes.ts', import.meta.url))];

export interface DaemonExit extends Exit {
  /** Everything that it printed, both streams. */
  readonly output: string;
}

export interface DaemonProcess {
  readonly child: HostedProcess['child'];
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
  /** What starts Node, for one that is alone: `['unshare', '--pid']`. Default nothing. */
  readonly launcher?: readonly string[];
  /** True: a process that begins and ends with the daemon. Default: one that has run others, elsewhere. */
  readonly alone?: boolean;
}

/** Runs one of the other commands, as somebody at a terminal does: `['pause', 'acme/shop#1']`. */
export function runDaemonCommand(configFile: string, command: readonly string[]): Promise<DaemonExit> {
  return startAgentDaemon([...command, '--config', configFile], null, {}).exited;
}

/** Starts one of the other commands. */
export function startDaemonCommand(
  command: readonly string[],
  options: DaemonProcessOptions = {},
): DaemonProcess {
  return startAgentDaemon(command, null, options);
}

/** Starts the real daemon, of the sources as they are, in another process. */
export function startDaemonProcess(configFile: string, options: DaemonProcessOptions = {}): DaemonProcess {
  const { flags = ['--once'] } = options;
  return startAgentDaemon(['run', '--config', configFile, ...flags], configFile, options);
}

function startAgentDaemon(
  commandLine: readonly string[],
  place: string | null,
  { environment: further = {}, nodeArguments = [], launcher = [], alone = false }: DaemonProcessOptions,
): DaemonProcess {
  const { PATH, HOME, TMPDIR } = process.env;
  const environment = { PATH, HOME, TMPDIR, TZ: 'UTC', ...tokens, ...further };
  let output = '';
  const listeners = new Set<() => void>();
  const onOutput = (text: string): void => {
    output += text;
    for (const listener of listeners) listener();
  };
  const options = { commandLine, environment, place, nodeArguments, onOutput };
  const { child, ended } = alone ? runAlone(options, launcher) : runHosted(options);
  const exited = ended.then((exit) => ({ ...exit, output }));
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

function runAlone(
  { commandLine, environment, nodeArguments, onOutput }: HostOptions,
  launcher: readonly string[],
): HostedProcess {
  const main = findProgram('main');
  const [program = process.execPath, ...rest] = [...launcher, process.execPath];
  const child: ChildProcess = spawn(
    program,
    [...rest, ...nodeArguments, ...main.nodeArguments, ...commandLine],
    { env: { ...main.environment, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onOutput);
  const ended = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  return { child, ended };
}
