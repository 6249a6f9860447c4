import { type FileHandle, open, truncate } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Failure of a write: the disk keeps a part of it, or all of it without saying so. */
type DiskFault = 'torn' | 'after';

/** A disk that refuses writes and loses its power when it is told to. */
interface FailingDisk {
  /** The next sync fails with EIO. */
  readonly failNext: (fault: DiskFault) => void;
  /** Takes from a file what was written since its last sync, as a power cut does. */
  readonly cutPower: (path: string) => Promise<void>;
  readonly close: () => void;
}

type Syncs = Pick<FileHandle, 'datasync' | 'sync'>;

/** Stands between Node's file handles and the disk, for the whole process, until it is closed. */
export async function openFailingDisk(): Promise<FailingDisk> {
  const syncs = await findSyncs();
  const { datasync, sync } = syncs;
  /** Bytes that are safe, by the number of the file. */
  const safe = new Map<number, number>();
  let fault: DiskFault | null = null;

  const watched = (real: () => Promise<void>) =>
    async function (this: FileHandle): Promise<void> {
      const { ino, size } = await this.stat();
      const failed = fault;
      fault = null;
      if (failed === 'torn') await this.truncate(size - 5);
      await real.call(this);
      safe.set(ino, (await this.stat()).size);
      if (failed !== null) throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
    };
  Object.assign(syncs, { datasync: watched(datasync), sync: watched(sync) });

  return {
    failNext: (next) => {
      fault = next;
    },
    cutPower: async (path) => {
      const file = await open(path);
      const { ino, size } = await file.stat();
      await file.close();
      if (size > (safe.get(ino) ?? size)) await truncate(path, safe.get(ino));
    },
    close: () => void Object.assign(syncs, { datasync, sync }),
  };
}

/** Finds the methods that all file handles share; nothing exports them. */
async function findSyncs(): Promise<Syncs> {
  const file = await open(fileURLToPath(import.meta.url));
  await file.close();
  return Object.getPrototypeOf(file) as Syncs;
}
