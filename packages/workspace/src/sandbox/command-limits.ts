import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findProcesses, markVariable } from '../machine/end-processes.ts';

/** Limits of a command together with all that it starts. */
export interface CommandLimits {
  /** Processor time of each process, in seconds. */
  readonly cpuSeconds: number;
  /** Memory that is no file's, in MB: of all processes together, looked at each second. */
  readonly memoryMb: number;
  /** Processes and threads together. */
  readonly processes: number;
  /** Size of each file that is written, in MB. */
  readonly fileSizeMb: number;
  /** Room that the worktree and the home of commands take together, in MB. */
  readonly diskMb: number;
}

export const defaultLimits: CommandLimits = {
  cpuSeconds: 1_800,
  memoryMb: 4_096,
  processes: 1_024,
  fileSizeMb: 1_024,
  diskMb: 20_480,
};

/** Memory that a process may reserve beyond its limit, in MB: engines such as V8 ask for much that they never touch. */
const reserveMb = 1_024;

/**
 * Puts a command under limits that the kernel keeps, set by a fixed line of shell that becomes the program. A limit that is
 * lower already stays. The number of processes is counted by account: only in a user namespace of its own is that the command's.
 */
export function limitCommand(
  command: readonly string[],
  { limits, ownAccount }: { readonly limits: CommandLimits; readonly ownAccount: boolean },
): readonly string[] {
  const settings = [
    ...[
      ['-c 0'],
      [`-t ${limits.cpuSeconds}`],
      [`-d ${(limits.memoryMb + reserveMb) * 1024}`],
      [`-f ${limits.fileSizeMb * 2048}`],
    ],
    // dash and busybox call it -p, bash -u.
    ...(ownAccount ? [[`-u ${limits.processes}`, `-p ${limits.processes}`]] : []),
  ];
  const lines = settings.map((ways) => `${ways.map((way) => `ulimit ${way} 2>/dev/null`).join(' || ')} || :`);
  return ['/bin/sh', '-c', `${lines.join('; ')}; exec "$@"`, 'sh', ...command];
}

/** The resource of which a command and its family took too much. */
export type Excess = 'memory' | 'processes' | 'disk';

export interface WatchFamilyOptions {
  /** The process that everything descends from. */
  readonly root: number;
  /** Marks what descends from it no longer. */
  readonly mark: string;
  readonly limits: Pick<CommandLimits, 'memoryMb' | 'processes' | 'diskMb'>;
  /** Directories whose room is limited. */
  readonly directories: readonly string[];
  readonly signal: AbortSignal;
  /** Waits until the next look; rejects when the signal is aborted. Default one second. */
  readonly pause?: ((signal: AbortSignal) => Promise<unknown>) | undefined;
}

/**
 * Watches what all processes of a command take together, and resolves with what was too much; null when the signal ends the
 * watch. Only Linux tells what processes take; elsewhere nothing is ever too much.
 */
export async function watchFamily(options: WatchFamilyOptions): Promise<Excess | null> {
  const {
    limits,
    signal,
    pause = (until) => delay(1000, undefined, { signal: until, ref: false }),
  } = options;
  for (let round = 1; !signal.aborted; round += 1) {
    await pause(signal).catch(() => undefined);
    if (signal.aborted) return null;
    const { memoryKb, threads } = await measureFamily(options);
    if (memoryKb > limits.memoryMb * 1024) return 'memory';
    if (threads > limits.processes) return 'processes';
    if (round % roundsOfDisk !== 0) continue;
    if ((await measureRoom(options.directories, signal)) > limits.diskMb * 2 ** 20) return 'disk';
  }
  return null;
}

/** Files are many: their room is measured at each tenth look. */
const roundsOfDisk = 10;

/** Measures the room that files take on their disk, in bytes; those with several names count once for each. */
async function measureRoom(directories: readonly string[], signal: AbortSignal): Promise<number> {
  const waiting = [...directories];
  let bytes = 0;
  for (let path = waiting.pop(); path !== undefined && !signal.aborted; path = waiting.pop()) {
    // What was removed meanwhile, or closed by the command, takes nothing that could be seen.
    for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
      const file = join(path, entry.name);
      if (entry.isDirectory()) waiting.push(file);
      else
        bytes += await lstat(file).then(
          ({ blocks }) => blocks * 512,
          () => 0,
        );
    }
  }
  return bytes;
}

interface Member {
  readonly id: number;
  readonly parent: number;
  /** Memory that is no file's, in KB. */
  readonly memoryKb: number;
  readonly threads: number;
}

async function measureFamily({ root, mark }: WatchFamilyOptions): Promise<Omit<Member, 'id' | 'parent'>> {
  const marked = await findProcesses((environment) => environment.get(markVariable) === mark);
  const all = await listMembers();
  const family = new Set([root, ...marked]);
  // Parents may be listed after their children, so it is gone through until nobody is added.
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const { id, parent } of all) if (family.has(parent)) family.add(id);
  }
  const members = all.filter(({ id }) => family.has(id));
  const sum = (numberOf: (member: Member) => number) =>
    members.reduce((total, one) => total + numberOf(one), 0);
  return { memoryKb: sum(({ memoryKb }) => memoryKb), threads: sum(({ threads }) => threads) };
}

async function listMembers(): Promise<readonly Member[]> {
  const names = await readdir('/proc').catch(() => []);
  const read = names
    .filter((name) => /^\d+$/.test(name))
    .map(async (name) => {
      // One that ended meanwhile takes nothing.
      const text = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '');
      const field = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
      const memoryKb = field('RssAnon') + field('RssShmem') + field('VmSwap');
      return { id: Number(name), parent: field('PPid'), memoryKb, threads: field('Threads') };
    });
  return Promise.all(read);
}
