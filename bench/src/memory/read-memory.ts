import { readFile } from 'node:fs/promises';

export interface ProcessMemory {
  /** Resident now. */
  readonly residentKb: number;
  /** The part of it that is neither a file's nor shared: heap, stacks, buffers. */
  readonly anonymousKb: number;
}

/**
 * The memory of one process alone, without its children, as the kernel counts it.
 *
 * @throws where there is no /proc: elsewhere than on Linux
 * @see https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
 */
export async function readMemory(processId: number): Promise<ProcessMemory> {
  return parseStatus(await readFile(`/proc/${processId}/status`, 'utf8'));
}

/** Reads what `/proc/PID/status` says. */
export function parseStatus(status: string): ProcessMemory {
  const read = (field: string): number => {
    const [, value] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
    if (value === undefined) throw new Error(`The kernel does not say ${field} of the process.`);
    return Number(value);
  };
  return { residentKb: read('VmRSS'), anonymousKb: read('RssAnon') };
}
