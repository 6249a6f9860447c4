/// <reference path="./fs-native-extensions.d.ts" />
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
  const message = `"${directory}" is on ${name}, a network file system: locks and synced writes are not reliable there, and other hosts may write to it. Choose a directory on a disk of this machine. To share runs between hosts, use a PostgreSQL database (README of @agent/run-store).`;
  throw new ContextStoreError(message, { code: 'invalid' });
}

async function readType(path: string): Promise<number> {
  return process.platform === 'linux' ? (await statfs(path)).type : 0;
}

/** Locks of the operating system on whole open files; the system frees them when the process that opened it is gone. */
export interface SystemLocks {
  /** Locks an open file without waiting; false when another opening of it holds a lock that excludes this one. */
  readonly tryLock: (fd: number, options?: { readonly shared?: boolean }) => boolean;
  readonly unlock: (fd: number) => void;
}

/**
 * Place of the lock in a file: behind everything that is written, as Windows lets nobody else read what is locked. macOS
 * knows locks of whole files alone, which keep nobody from reading.
 */
const place: readonly [offset: number, length: number] =
  process.platform === 'darwin' ? [0, 0] : [2 ** 40, 1];

/**
 * Loads the locks of this system. They belong to an open file, not to a process or a name: no other namespace of pids
 * or network, no other host name and no child process changes whose they are.
 *
 * @throws {ContextStoreError} `storage-failed` on a system for which there is no build, saying what to do
 */
export async function loadSystemLocks(): Promise<SystemLocks> {
  const { default: native } = await import('fs-native-extensions').catch((cause: unknown) => {
    const system = `${process.platform}-${process.arch}`;
    const message = `The locks of the operating system cannot be used here (${system}): fs-native-extensions is not installed, or has no build for it. It has none for musl (Alpine): use an image with glibc, such as node:24-slim.`;
    throw new ContextStoreError(message, { code: 'storage-failed', cause });
  });
  return {
    tryLock: (fd, options = {}) => native.tryLock(fd, ...place, options),
    unlock: (fd) => native.unlock(fd, ...place),
  };
}
