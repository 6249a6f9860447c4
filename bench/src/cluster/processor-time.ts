import { readdir, readFile } from 'node:fs/promises';

/** Milliseconds of one of the kernel's ticks: Linux tells programs of 100 a second on every machine. */
const tickMs = 10;

/** What the kernel says of a process's processor time. */
interface ProcessTime {
  readonly parent: number;
  /** Milliseconds, with those of the children that have ended. */
  readonly usedMs: number;
}

/**
 * Reads what `/proc/PID/stat` says.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
export function parseStat(stat: string): ProcessTime {
  // The name, in parentheses, may hold anything; behind it are the state, the parent, and from the twelfth on the times.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: Number(fields[1]), usedMs: ticks * tickMs };
}

/** Milliseconds that processors worked for a process and its ended children, such as git's. */
export async function readProcessTime(processId: number): Promise<number> {
  return parseStat(await readFile(`/proc/${processId}/stat`, 'utf8')).usedMs;
}

/** The same with the children that live, such as a server's. */
export async function readServerTime(processId: number): Promise<number> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    names.map((name) => readFile(`/proc/${name}/stat`, 'utf8').catch(() => null)),
  );
  const children = stats.filter((stat) => stat !== null).map(parseStat);
  const ofChildren = children.filter(({ parent }) => parent === processId);
  return ofChildren.reduce((sum, { usedMs }) => sum + usedMs, await readProcessTime(processId));
}
