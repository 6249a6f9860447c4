import { constants, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type FileIdentity, identifyFile } from './files.ts';

interface OpenFilesOptions {
  /** Files that stay open at most; the one unused for longest is closed first. */
  readonly maxOpen: number;
}

/** Files that are appended to again and again, and are not opened anew each time. */
export interface OpenFiles {
  /**
   * Appends to a file, which must exist: one that vanished, moved or was exchanged since the last time is
   * noticed. Resolves, with `sync`, once the bytes are on the disk. After a failure the file is opened anew.
   */
  readonly append: (path: string, bytes: Buffer, options: { readonly sync: boolean }) => Promise<void>;
  /** Closes what is open of these; the next append opens it again. What is being written is written first. */
  readonly close: (paths: readonly string[]) => Promise<void>;
}

interface OpenFile {
  readonly handle: FileHandle;
  readonly identity: FileIdentity | null;
}

export function createOpenFiles({ maxOpen }: OpenFilesOptions): OpenFiles {
  // In the order of their last use: a map keeps the order of insertion.
  const files = new Map<string, OpenFile>();

  function findHandle(path: string): FileHandle | null {
    const file = files.get(path);
    if (file === undefined) return null;
    files.delete(path);
    if (isAt(path, file)) {
      files.set(path, file);
      return file.handle;
    }
    void closeQuietly(file);
    return null;
  }

  async function openFile(path: string): Promise<void> {
    const handle = await open(path, constants.O_WRONLY | constants.O_APPEND);
    // Somebody else may have opened it meanwhile.
    void close(path);
    files.set(path, { handle, identity: identifyFile(handle.fd) });
    const [oldest] = files.keys();
    if (files.size > maxOpen && oldest !== undefined) await close(oldest);
  }

  function close(path: string): Promise<void> {
    const file = files.get(path);
    if (file === undefined) return Promise.resolve();
    files.delete(path);
    return closeQuietly(file);
  }

  return {
    append: async (path, bytes, { sync }) => {
      let handle = findHandle(path);
      while (handle === null) {
        await openFile(path);
        handle = findHandle(path);
      }
      try {
        // Nothing is awaited between finding and writing: the file cannot be closed by anybody meanwhile.
        writeFully(handle.fd, bytes);
        if (sync) await handle.datasync();
      } catch (error) {
        await close(path);
        throw error;
      }
    },
    close: async (paths) => {
      await Promise.all(paths.map(close));
    },
  };
}

function isAt(path: string, { identity }: OpenFile): boolean {
  const there = identifyFile(path);
  return there !== null && there.ino === identity?.ino && there.dev === identity.dev;
}

/** A write copies into the system's cache, sooner than a thread would be asked to. What waits for the disk is the sync. */
function writeFully(fd: number, bytes: Buffer): void {
  let offset = 0;
  while (offset < bytes.length) offset += writeSync(fd, bytes, offset);
}

/** Closes, after the writes under way; a failure means nothing, as all that matters was synced before. */
function closeQuietly({ handle }: OpenFile): Promise<void> {
  return handle.close().catch(() => undefined);
}
