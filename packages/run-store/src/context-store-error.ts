import { findOtherVersion } from '@agent/text';

/** Kinds of failures of the store or a journal that a caller can tell apart, and act on. */
export type ContextStoreErrorCode =
  /** No space left, or a quota reached. */
  | 'storage-full'
  /** The disk refused for any other reason. */
  | 'storage-failed'
  /** A file is there but does not say what it must. */
  | 'damaged'
  /** A record has a version that this program cannot read. */
  | 'other-version'
  /** Another process owns the directory. */
  | 'owned'
  /** The caller asked for something that cannot be: a malformed uuid, a run that has ended. */
  | 'invalid';

interface ContextStoreErrorOptions {
  readonly code: ContextStoreErrorCode;
  readonly cause?: unknown;
}

const marker = Symbol.for('@agent/context-inheritance/ContextStoreError');

/** The one error class of this package. Read it by `code`; the message says what to do. */
export class ContextStoreError extends Error {
  readonly code: ContextStoreErrorCode;

  constructor(message: string, options: ContextStoreErrorOptions) {
    super(message, { cause: options.cause });
    this.name = 'ContextStoreError';
    this.code = options.code;
    Object.defineProperty(this, marker, { value: true });
  }

  /** Recognizes errors of every installed copy of this package. */
  static isInstance(value: unknown): value is ContextStoreError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[marker] === true;
  }
}

const fullCodes = new Set(['ENOSPC', 'EDQUOT']);

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
  const advice = `The system reported ${code ?? 'no error code'}: check that the directory exists and is writable.`;
  return new ContextStoreError(`Could not ${action}. ${advice}`, { code: 'storage-failed', cause: error });
}

/** Has what the file system throws say what could not be done; `action` reads "could not …". */
export function translated<Result>(work: Promise<Result>, action: string): Promise<Result> {
  return work.catch((error: unknown) => {
    throw toStorageError(error, action);
  });
}

/**
 * Refuses a record of another version. `place`: of the record, in words for people.
 * @throws {ContextStoreError} `other-version`
 */
export function requireVersion(
  record: unknown,
  expected: { readonly version: number; readonly place: string },
): void {
  const refusal = findOtherVersion(record, expected);
  if (refusal !== null) throw new ContextStoreError(refusal, { code: 'other-version' });
}

/** Turns whatever a parser threw into this package's error, which names the file. */
export function toDamaged(path: string): (error: unknown) => never {
  return (error) => {
    if (ContextStoreError.isInstance(error) && error.code === 'other-version') throw error;
    const message = `"${path}" is missing or damaged. Restore it from a copy, or move its directory away.`;
    throw new ContextStoreError(message, { code: 'damaged', cause: error });
  };
}

const passingCodes = new Set(['EMFILE', 'EBUSY', 'EAGAIN', 'EIO']);

const delaysMs = [100, 200, 400];

/** Waits the given milliseconds. */
export type Sleep = (delayMs: number) => Promise<void>;

/** Tries again, three times, what failed for a reason that may pass; the last failure is the caller's. @see decision C18 */
export async function retryStorage<Result>(
  work: () => Promise<Result>,
  options: { readonly sleep: Sleep },
): Promise<Result> {
  for (const delayMs of delaysMs) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await options.sleep(delayMs);
    }
  }
  return work();
}

function isPassing(error: unknown): boolean {
  const cause = ContextStoreError.isInstance(error) ? error.cause : error;
  return passingCodes.has(toSystemCode(cause) ?? '');
}
