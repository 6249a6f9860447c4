import { readlinkSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseJson } from '@agent/text/json';
import { z } from 'zod';

/** Beginning of the name of each configuration of a rehearsal. */
export const filePrefix = '.agent-rehearsal-';
/** Beginning of the name of each temporary directory of a rehearsal. */
export const directoryPrefix = 'agent-rehearsal-';

const ownerPrefix = '# agent-daemon rehearse ';
const ownerSchema = z.object({
  host: z.string(),
  /** Namespace of the process id: containers can share the name of their host. Null: not Linux. */
  processes: z.string().nullable(),
  pid: z.int().positive(),
  directory: z.string(),
});

/** Formats the first line of a configuration: the process that removes it, and the directory that it removes with it. */
export function formatOwner(directory: string): string {
  const owner = { host: hostname(), processes: findProcesses(), pid: process.pid, directory };
  return `${ownerPrefix}${JSON.stringify(owner)}`;
}

/**
 * Removes the configurations of rehearsals whose process was killed, and their temporary directories.
 *
 * @param directory that of the configuration of the user
 * @returns paths that were removed
 */
export async function removeAbandonedFiles(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch(() => []);
  const removed: string[] = [];
  for (const name of names.filter((one) => one.startsWith(filePrefix) && one.endsWith('.yaml'))) {
    const file = join(directory, name);
    const owner = await readOwner(file);
    if (owner === null || !isVisible(owner) || isAlive(owner.pid)) continue;
    const isOwnDirectory =
      dirname(owner.directory) === tmpdir() && basename(owner.directory).startsWith(directoryPrefix);
    if (isOwnDirectory) {
      await rm(owner.directory, { recursive: true, force: true });
      removed.push(owner.directory);
    }
    await rm(file, { force: true });
    removed.push(file);
  }
  return removed;
}

async function readOwner(file: string): Promise<z.infer<typeof ownerSchema> | null> {
  const [first = ''] = (await readFile(file, 'utf8').catch(() => '')).split('\n', 1);
  if (!first.startsWith(ownerPrefix)) return null;
  return ownerSchema.safeParse(parseJson(first.slice(ownerPrefix.length))).data ?? null;
}

/** True if the process id means the same process here. */
function isVisible({ host, processes }: z.infer<typeof ownerSchema>): boolean {
  return host === hostname() && processes === findProcesses();
}

function findProcesses(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
