import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const binaries = fileURLToPath(new URL('../../node_modules/.bin', import.meta.url));

/** The daemon as it is published. */
export const builtDaemon = fileURLToPath(new URL('../../apps/daemon/dist/main.js', import.meta.url));

/** Options of Node in the first line of the built daemon. */
export function readDaemonFlags(): readonly string[] {
  const [line = ''] = readFileSync(builtDaemon, 'utf8').split('\n', 1);
  return line.split(' ').filter((word) => word.startsWith('--'));
}

/**
 * Builds the daemon from the sources as they are; does nothing when they were built before.
 *
 * @throws with what the build printed
 */
export async function buildDaemon(): Promise<void> {
  const env = { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH}` };
  const build = promisify(execFile)('turbo', ['run', 'build', '--filter=@agent/daemon'], { cwd: root, env });
  await build.catch((cause: { readonly stdout?: string; readonly stderr?: string }) => {
    throw new Error(`The daemon could not be built.\n${cause.stdout ?? ''}${cause.stderr ?? ''}`, { cause });
  });
}
