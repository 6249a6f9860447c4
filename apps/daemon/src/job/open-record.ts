import { dirname } from 'node:path';
import type { RunStorage } from '@agent/run-store';
import { type CarriedProcess, createCarriedStorage } from '@agent/run-store/carried';
import { createGitRef, type Environment } from '@agent/workspace';
import type { OpenStorageAt } from '../start-daemon.ts';
import type { JobRepository } from './job-event.ts';

/** Options of `openRecord`. */
export interface RecordOptions {
  readonly repository: Pick<JobRepository, 'cloneUrl'>;
  /** Full name of the ref. */
  readonly ref: string;
  /** Directory of the job, which no other job uses. */
  readonly directory: string;
  readonly token: string;
  /** Name that goes with the token in git's login. */
  readonly username: string;
  /** Secret that encrypts the record; null: everyone who can read the repository can read it. */
  readonly key: string | null;
  /** Most bytes of the record. */
  readonly maxBytes: number;
  /** Milliseconds to wait before this job writes in place of one that was killed. */
  readonly leaseMs: number;
  /** This job, and how it finds out whether another one has ended. */
  readonly process: CarriedProcess;
  readonly environment: Environment;
}

/** Opens a storage of runs whose files are stored in a ref of the repository that the job works for. */
export function openRecord(options: RecordOptions, at: OpenStorageAt): RunStorage {
  const { repository, ref, directory, token, username, environment } = options;
  const { key, maxBytes, leaseMs, process } = options;
  const { places, redact, now, logger } = at;
  const { cloneUrl } = repository;
  const medium = createGitRef({
    ...{ cloneUrl, ref, directory, username, environment, now },
    token: () => token,
  });
  const { contexts: baseDirectory, paused, pauseSignalFile } = places;
  if (dirname(paused) !== baseDirectory)
    throw new TypeError('pause_resume.paused_dir: expected a directory in context_storage.base_dir');
  return createCarriedStorage({
    ...{ medium, baseDirectory, pauseSignalFile, key, redact, process, maxBytes, leaseMs, now, logger },
  });
}
