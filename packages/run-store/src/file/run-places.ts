import { join, resolve } from 'node:path';
import { isOptionMissing } from './run-errors.ts';

export interface RunPlacesOptions {
  /** Holds `running/` and `completed/`; made when it is missing. */
  readonly baseDirectory: string;
  /** Where paused runs lie; on the file system of the base. Default `paused` in the base directory. */
  readonly pausedDirectory?: string | undefined;
}

/** Where the runs of one base directory lie. @see seed 002 §2.1 */
export interface RunPlaces {
  readonly running: string;
  readonly paused: string;
  readonly completed: string;
  /** One line for each run that ended. */
  readonly recent: string;
}

/** @throws {ContextStoreError} `invalid` without a base directory */
export function toRunPlaces(options: RunPlacesOptions): RunPlaces {
  // Without types they are easily left out.
  const { baseDirectory, pausedDirectory }: Partial<RunPlacesOptions> = options ?? {};
  if (typeof baseDirectory !== 'string' || baseDirectory === '')
    throw isOptionMissing('baseDirectory', 'a path');
  const base = resolve(baseDirectory);
  return {
    running: join(base, 'running'),
    paused: pausedDirectory === undefined ? join(base, 'paused') : resolve(pausedDirectory),
    completed: join(base, 'completed'),
    recent: join(base, 'recent.jsonl'),
  };
}
