/// <reference path="./fs-native-extensions.d.ts" />
import { ContextStoreError } from '../context-store-error.ts';

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
