import { run } from '../bootstrap/processes.mjs';
import { repositoryRoot } from '../workspace/root.ts';

/** Nothing may phone home, and nothing may move the cursor where nobody watches. */
const quiet = { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', TURBO_NO_UPDATE_NOTIFIER: '1' };
const isPlain = process.env.CI !== undefined || process.stdout.isTTY !== true;

/** Runs a program of the workspace in its root; resolves with the exit code. */
export function runCommand([program, ...args]: readonly [string, ...string[]]): Promise<number> {
  return run(program, args, {
    cwd: repositoryRoot,
    env: { ...process.env, ...quiet, ...(isPlain ? { NO_COLOR: '1' } : {}) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}
