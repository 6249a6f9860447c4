import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface AppProcess {
  /** Resolves when it has ended: its exit code, or 128 + n for signal n. */
  readonly ended: Promise<number>;
  readonly signal: (name: NodeJS.Signals) => void;
}

export interface SpawnAppOptions {
  /** The app's entry point, from the repository's root. */
  readonly entry: string;
  readonly flags: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** Told of each line that it prints, on either stream. */
  readonly onLine: (line: string) => void;
}

/**
 * Starts an app of this repository as it is. It gets a process group of its own, so that Ctrl-C reaches it through
 * `signal` and therefore once, not twice.
 */
export function spawnApp({ entry, flags, environment, onLine }: SpawnAppOptions): AppProcess {
  const path = fileURLToPath(new URL(`../../../${entry}`, import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@agent/source', path, ...flags], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', onLine);
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
  });
  return { ended, signal: (name) => void child.kill(name) };
}
