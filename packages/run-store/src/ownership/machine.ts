import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { ContextStoreError } from '../context-store-error.ts';

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

/** File systems that several hosts write, by the numbers that Linux gives them. */
const networkTypes = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
]);

/**
 * Refuses a directory that other hosts may write as well, where the system says so. One that is shared by other means
 * is found by its owner's signs of life.
 *
 * @param typeOf number of a path's file system, as Linux gives it; default asked of the system
 * @throws {ContextStoreError} `invalid`, naming the file system
 */
export async function refuseNetworkFileSystem(
  directory: string,
  typeOf: (path: string) => Promise<number> = readType,
): Promise<void> {
  const name = networkTypes.get(await typeOf(directory));
  if (name === undefined) return;
  const message = `"${directory}" is on ${name}, a file system of a network: locks and synced writes cannot be relied on there, and other hosts may write it. Choose a directory on a disk of this machine. A store that several hosts share (PostgreSQL) is planned and not built yet.`;
  throw new ContextStoreError(message, { code: 'invalid' });
}

async function readType(path: string): Promise<number> {
  return process.platform === 'linux' ? (await statfs(path)).type : 0;
}
