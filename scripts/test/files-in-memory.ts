import { constants } from 'node:fs';
import { access, chmod, mkdtemp, readdir, readFile, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Where Linux keeps files in memory for whoever wants to. */
const memory = '/dev/shm';
const prefix = 'agent-tests-';
const dayMs = 24 * 60 * 60_000;
/** Several times what all tests together have there at once. */
const leastBytes = 4 * 1024 ** 3;

/**
 * Before all tests: a temporary directory in memory for them and for what they start, where there is room for it. Tests make
 * and remove small files all the time, and an ext4 without a journal looks at each file removed in the last minutes before it
 * makes another: the contract of one platform took twice the processor time there.
 */
export default async function keepFilesInMemory(): Promise<(() => Promise<void>) | undefined> {
  if (!(await hasRoom())) return undefined;
  await removeForgotten();
  const before = process.env.TMPDIR;
  const directory = await mkdtemp(join(memory, prefix));
  // As /tmp itself: a database of the tests may run as somebody else.
  await chmod(directory, 0o1777);
  process.env.TMPDIR = directory;
  return async () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    await rm(directory, { recursive: true, force: true });
  };
}

/** Tells whether programs can be kept there, and files for which neither this machine nor its limit has too little memory. */
async function hasRoom(): Promise<boolean> {
  try {
    await access(memory, constants.W_OK);
    const mounts = (await readFile('/proc/self/mounts', 'utf8')).split('\n').map((line) => line.split(' '));
    const [, , kind, options = ''] = mounts.findLast(([, place]) => place === memory) ?? [];
    const { bavail, bsize } = await statfs(memory);
    const free = Math.min(bavail * bsize, process.availableMemory() / 2);
    return kind === 'tmpfs' && !options.split(',').includes('noexec') && free >= leastBytes;
  } catch {
    // Another system, or a container without it.
    return false;
  }
}

/** Removes what tests left that were killed a day ago or earlier: it takes memory until the machine is started again. */
async function removeForgotten(): Promise<void> {
  for (const name of (await readdir(memory)).filter((one) => one.startsWith(prefix))) {
    const directory = join(memory, name);
    const { mtimeMs } = await stat(directory);
    if (mtimeMs < Date.now() - dayMs) await rm(directory, { recursive: true, force: true });
  }
}
