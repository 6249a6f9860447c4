import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** A running system: what shares its kernel shares its locks. */
export interface Machine {
  readonly host: string;
  /** New at each start of the kernel; null where the system does not tell (only Linux does). */
  readonly boot: string | null;
}

/** The system that this process runs on. Containers of one kernel have names of their own and the same `boot`. */
export function readMachine(): Machine {
  return { host: hostname(), boot: readBoot() };
}

function readBoot(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}

/** By the kernel where both say it, else by name. */
export function isSameMachine(one: Machine, other: Machine): boolean {
  if (one.boot !== null && other.boot !== null) return one.boot === other.boot;
  return one.host === other.host;
}
