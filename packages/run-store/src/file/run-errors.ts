import { ContextStoreError } from '../context-store-error.ts';
import { toStorageError } from '../disk/storage-error.ts';

export function isOptionMissing(name: string, kind: string): ContextStoreError {
  return new ContextStoreError(`The option "${name}" is missing: give ${kind}.`, { code: 'invalid' });
}

export function hasEnded(uuid: string): ContextStoreError {
  return new ContextStoreError(`Run ${uuid} has ended. Begin a new one, with a new uuid.`, {
    code: 'invalid',
  });
}

export function isPaused(uuid: string): ContextStoreError {
  return new ContextStoreError(`Run ${uuid} is paused. Resume it instead.`, { code: 'invalid' });
}

export function isMissing(uuid: string, parent: string): ContextStoreError {
  return new ContextStoreError(`There is no run ${uuid} in "${parent}". Check the uuid.`, {
    code: 'invalid',
  });
}

export function wasOpenedAgain(directory: string): ContextStoreError {
  const message = `The run in "${directory}" was opened again since, and two journals would number their lines alike. Write to the one that was opened last.`;
  return new ContextStoreError(message, { code: 'invalid' });
}

export function wasNeverPaused(uuid: string): ContextStoreError {
  return new ContextStoreError(`Run ${uuid} is running and was never paused. Restore it instead.`, {
    code: 'invalid',
  });
}

export function isThereTwice(uuid: string): ContextStoreError {
  const message = `Run ${uuid} is there twice, as a running and as a paused one. Compare the two directories and move one away.`;
  return new ContextStoreError(message, { code: 'damaged' });
}

/** Has what the file system throws say what could not be done; `action` reads "could not …". */
export function translated<Result>(work: Promise<Result>, action: string): Promise<Result> {
  return work.catch((error: unknown) => {
    throw toStorageError(error, action);
  });
}
