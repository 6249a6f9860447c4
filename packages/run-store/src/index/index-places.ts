import { join, resolve } from 'node:path';
import { ContextStoreError } from '../context-store-error.ts';

/** Where the files of the index lie in a base directory. */
export interface IndexPlaces {
  /** Holds a directory for each first two characters of a hash. */
  readonly root: string;
  /** Files in the making: on the same file system, and found again after a crash without looking through the index. */
  readonly making: string;
  /** A file for each day on which runs ended. */
  readonly expiry: string;
  /** There once the index was built from the directories of runs. */
  readonly built: string;
}

export function toIndexPlaces(baseDirectory: string): IndexPlaces {
  const root = join(resolve(baseDirectory), 'index');
  return {
    root,
    making: join(root, 'making'),
    expiry: join(root, 'expiry'),
    built: join(root, 'built.json'),
  };
}

/** Whether a text is a hash as `hashTaskKey` makes them. */
export function isTaskKeyHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/**
 * The file of one task: `index/ab/abcdef….json`. @see decision X12
 * @throws {ContextStoreError} `invalid`: a text that is no hash could lead out of the directory
 */
export function toRecordPath({ root }: IndexPlaces, taskKeyHash: string): string {
  if (isTaskKeyHash(taskKeyHash)) return join(root, taskKeyHash.slice(0, 2), `${taskKeyHash}.json`);
  const message = `${JSON.stringify(taskKeyHash)} is not a SHA-256 in hexadecimal, as hashTaskKey makes them.`;
  throw new ContextStoreError(message, { code: 'invalid' });
}
