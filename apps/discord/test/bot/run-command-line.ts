import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findPlanted } from '@agent/simulators/trials';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** The command line in a process of its own. */
export interface CommandLine {
  /** The exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Whether it runs, or how it ended. */
  readonly state: () => string;
  /** All that it has written so far. */
  readonly output: () => string;
  /** Waits until it has written this; rejects when it ends without. */
  readonly untilWritten: (text: string) => Promise<void>;
  readonly kill: (signal: NodeJS.Signals) => void;
}

export interface CommandLineOptions {
  readonly directory: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export function runCommandLine(
  commandArguments: readonly string[],
  { directory, environment = {} }: CommandLineOptions,
): CommandLine {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const planted = findPlanted();
  const nodeArguments = ['--conditions=@agent/source', ...(planted?.nodeArguments ?? [])];
  const child = spawn(process.execPath, [...nodeArguments, main, ...commandArguments], {
    cwd: directory,
    env: { PATH, NODE_COMPILE_CACHE, LANG: 'en_US.UTF-8', ...environment, ...planted?.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let written = '';
  const lookers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      written += text;
      for (const look of [...lookers]) look();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    ended,
    state: () =>
      child.exitCode === null && child.signalCode === null
        ? 'running'
        : `ended with ${child.exitCode ?? child.signalCode}`,
    output: () => written,
    kill: (signal) => void child.kill(signal),
    untilWritten: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (written.includes(text)) resolve();
        };
        lookers.add(look);
        look();
        void ended.then((code) => reject(new Error(`It ended with ${code} and had written:\n${written}`)));
      }),
  };
}
