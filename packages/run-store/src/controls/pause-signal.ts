import { mkdir, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { privateDirectory } from '../disk/private-modes.ts';
import { replaceFile } from '../disk/replace-file.ts';
import { toSystemCode } from '../disk/storage-error.ts';
import { translated } from '../file/run-errors.ts';

/**
 * Whether everything on this host is to pause: whether the signal's file exists, whatever is in it. Nothing here
 * ever removes it by itself.
 * @throws {ContextStoreError} `storage-failed` when it cannot be told: neither yes nor no
 * @see spec PAUSE_RESUME
 */
export function isPauseSignalled(path: string): Promise<boolean> {
  const looked = stat(path).then(
    () => true,
    (error: unknown) => {
      if (toSystemCode(error) === 'ENOENT') return false;
      throw error;
    },
  );
  return translated(looked, `look for the pause signal "${path}"`);
}

export interface PauseSignalOptions {
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Makes everything on this host pause. */
export function setPauseSignal(path: string, { now = Date.now }: PauseSignalOptions = {}): Promise<void> {
  const written = mkdir(dirname(path), { recursive: true, mode: privateDirectory }).then(() =>
    replaceFile(path, `${new Date(now()).toISOString()}\n`),
  );
  return translated(written, `write the pause signal "${path}"`);
}

/** Lets everything go on; does nothing when there is no signal. */
export function clearPauseSignal(path: string): Promise<void> {
  return translated(rm(path, { force: true }), `remove the pause signal "${path}"`);
}
