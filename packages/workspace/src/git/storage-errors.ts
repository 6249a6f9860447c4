import { WorkspaceError } from '../workspace-error.ts';

/** Gives a full or broken disk below our own file operations the same words as one that git met. */
export async function translateStorageErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const { code, path } = cause as { code?: unknown; path?: unknown };
    if (cause instanceof WorkspaceError || typeof code !== 'string') throw cause;
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      const message = `No space is left at ${String(path)}. Free space on that disk, then start the task again.`;
      throw new WorkspaceError(message, { code: 'storage-full', cause });
    }
    if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(code)) {
      const message = `${String(path)} cannot be written to (${code}). Give the daemon's user a directory there.`;
      throw new WorkspaceError(message, { code: 'invalid', cause });
    }
    throw cause;
  }
}
