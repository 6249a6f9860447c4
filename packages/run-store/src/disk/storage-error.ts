import { ContextStoreError } from '../context-store-error.ts';

const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The code of a failed system call (`ENOENT`, …); null for anything else. */
export function toSystemCode(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : null;
}

/** Translates what the file system threw into this package's error; `action` reads "could not …". */
export function toStorageError(error: unknown, action: string): ContextStoreError {
  if (ContextStoreError.isInstance(error)) return error;
  const code = toSystemCode(error);
  if (code !== null && fullCodes.has(code)) {
    const advice = 'No space is left on the disk (or the quota is used up): free some space and start again.';
    return new ContextStoreError(`Could not ${action}. ${advice}`, { code: 'storage-full', cause: error });
  }
  const advice = `The system said ${code ?? 'nothing more'}: check that the directory exists and may be written.`;
  return new ContextStoreError(`Could not ${action}. ${advice}`, { code: 'storage-failed', cause: error });
}
