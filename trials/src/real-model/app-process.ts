import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A program of this repository in a process of its own. */
export interface AppProcess {
  /** Lines that it printed so far, on either stream. */
  readonly lines: readonly string[];
  /** Exit code; null after a signal that it did not handle. */
  readonly ended: Promise<number | null>;
  readonly kill: (signal: NodeJS.Signals) => void;
}

export interface AppProcessOptions {
  /** Entry point, from the root of the repository. */
  readonly entry: string;
  readonly flags: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly onLine?: (line: string) => void;
}

/** Starts it with an environment of its own, so that no settings of the machine reach it. */
export function startApp(options: AppProcessOptions): AppProcess {
  const { entry, flags, directory, environment, onLine = () => {} } = options;
  const path = fileURLToPath(new URL(`../../../${entry}`, import.meta.url));
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, ['--conditions=@agent/source', '--no-warnings', path, ...flags], {
    cwd: directory,
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, LANG: 'en_US.UTF-8', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on('line', (line) => {
      lines.push(line);
      onLine(line);
    });
  return {
    lines,
    ended: new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve(code));
    }),
    kill: (signal) => void child.kill(signal),
  };
}

/** Waits until it exits; kills it after that time. @returns its exit code, or null if it had to be killed */
export async function endWithin(app: AppProcess, timeoutMs: number): Promise<number | null> {
  const timer = setTimeout(() => app.kill('SIGKILL'), timeoutMs);
  return app.ended.finally(() => clearTimeout(timer));
}
