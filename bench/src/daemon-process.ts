import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { builtDaemon, readDaemonFlags } from './build-daemon.ts';
import { type DaemonLog, readLog } from './daemon-log.ts';
import { token, type World } from './world.ts';

export interface DaemonProcess {
  readonly processId: number;
  readonly log: DaemonLog;
  /** Resolves when it has ended well; rejects when it ended otherwise. */
  readonly succeeded: Promise<void>;
  /** What is waited for, unless the daemon ends before: then it rejects. */
  readonly whileRunning: <Result>(work: Promise<Result>) => Promise<Result>;
  /** Asks it to end, and resolves when it has. */
  readonly end: () => Promise<void>;
}

export interface DaemonProcessOptions {
  readonly once: boolean;
  /** What it does of the work, where processes share it. Default all. */
  readonly role?: 'look' | 'work';
  /** Further arguments of Node itself. */
  readonly nodeArguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Path of the program; default: the built daemon. */
  readonly program?: string;
}

/** Starts the built daemon in a process of its own, with JSON logs. */
export function startDaemon(
  world: Pick<World, 'configFile' | 'directory'>,
  options: DaemonProcessOptions,
): DaemonProcess {
  const { once, role = 'both', nodeArguments = [], environment = {}, program } = options;
  const flags = ['--config', world.configFile, '--log-format', 'json', '--role', role];
  const child = spawn(
    process.execPath,
    [
      ...nodeArguments,
      ...(program === undefined ? [...readDaemonFlags(), builtDaemon] : [program]),
      'run',
      ...flags,
      ...(once ? ['--once'] : []),
    ],
    {
      env: { ...daemonEnvironment(world.directory), GITHUB_TOKEN: token, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  if (child.pid === undefined) throw new Error('The daemon could not be started.');
  const log = readLog(child.stdout);
  const errors = text(child.stderr);
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const succeeded = closed.then(async (code) => {
    if (code !== 0) throw new Error(`The daemon ended with ${code}.\n${formatEnd(log)}${await errors}`);
  });
  // Who asks it to end has no use for its success.
  succeeded.catch(() => {});
  const ended = succeeded.then(() => {
    throw new Error(`The daemon ended too early.\n${formatEnd(log)}`);
  });
  ended.catch(() => {});
  return {
    processId: child.pid,
    log,
    succeeded,
    whileRunning: (work) => Promise.race([work, ended]),
    end: async () => {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

/** Only what a process needs, so that nobody's settings get into the figures; the compile cache is the bench's own. */
export function daemonEnvironment(temporaryDirectory: string): Readonly<Record<string, string>> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, TZ: 'UTC', TMPDIR: temporaryDirectory };
}

function formatEnd({ lines }: DaemonLog): string {
  return lines
    .slice(-20)
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}
