import { dirname } from 'node:path';
import type { RunStorage } from '@agent/run-store';
import { type CarriedProcess, createCarriedStorage } from '@agent/run-store/carried';
import { createGitRef, type Environment } from '@agent/workspace';
import { type OpenStorageAt, type StartDaemonOptions, startDaemon } from '../start-daemon.ts';
import type { JobRepository, JobThread } from './job-event.ts';
import type { JobTexts } from './texts.en.ts';

/** Settings of a job. */
export interface JobSettings {
  /** Configuration of the user. */
  readonly config: string;
  /** Preset of the model, where there is no such file. */
  readonly preset?: string | undefined;
  /** Place of the record: a ref of the repository, or none, so that no later job resumes the run. */
  readonly record: 'ref' | 'none';
  /** Minutes until the platform ends the job. */
  readonly timeLimit: number;
}

/** Surroundings of a job. */
export interface JobSurroundings
  extends Pick<StartDaemonOptions, 'shutdown' | 'output' | 'onLeft' | 'onLost' | 'now' | 'sleep'> {
  readonly environment: Environment;
  readonly texts: JobTexts;
  readonly fetch: typeof globalThis.fetch;
  readonly print: (line: string) => void;
}

/** Place of the record of a job. */
export type RecordOfJob = Omit<RecordOptions, 'maxBytes' | 'leaseMs'>;

/** Work of a job. */
export interface JobWork extends Pick<StartDaemonOptions, 'configFile' | 'environment'> {
  readonly thread: JobThread;
  /** Null: the runs stay in files of this job. */
  readonly record: RecordOfJob | null;
}

/** Minutes before the end of a job at which its run pauses, and at which it is left as it is if it did not. */
const toMargins = (timeLimit: number) => ({
  pause: Math.min(5, timeLimit / 4),
  leave: Math.min(2, timeLimit / 10),
});

/** Works on the thread; near the time limit, has the run pause, and ends it where it does not. */
export async function workInTime(
  { configFile, environment, thread, record }: JobWork,
  at: JobSurroundings & Pick<JobSettings, 'timeLimit'>,
): Promise<{ readonly isGood: boolean; readonly isTimeUp: boolean }> {
  const { shutdown, timeLimit, sleep, texts, print } = at;
  const ended = new AbortController();
  const timeIsUp = new AbortController();
  let storage: RunStorage | null = null;
  const margins = toMargins(timeLimit);
  const wait = (minutes: number) => sleep((timeLimit - minutes) * 60_000, ended.signal);
  const pause = async () => {
    await wait(margins.pause);
    if (ended.signal.aborted) return;
    print(texts.timeIsUp);
    isTimeUp = true;
    await storage?.pauseSignal.set();
  };
  const leave = async () => {
    await wait(margins.leave);
    if (!ended.signal.aborted) timeIsUp.abort();
  };
  let isTimeUp = false;
  const timed = Promise.all([pause(), leave()]);
  try {
    const isGood = await startDaemon({
      ...at,
      configFile,
      environment,
      logFormat: 'auto',
      once: true,
      live: false,
      shutdown: AbortSignal.any([shutdown, timeIsUp.signal]),
      thread: { name: thread.url, onIdle: () => {} },
      openStorage:
        record === null
          ? undefined
          : (place) => {
              storage = openRecord({ ...record, ...limits(environment) }, place);
              return storage;
            },
    });
    return { isGood, isTimeUp };
  } finally {
    ended.abort();
    await timed;
  }
}

const defaultMegabytes = 20;
const defaultLeaseSeconds = 30;

function limits({ AGENT_RECORD_MB, AGENT_RECORD_LEASE_SECONDS }: Environment) {
  const megabytes = Number(AGENT_RECORD_MB || defaultMegabytes);
  const seconds = Number(AGENT_RECORD_LEASE_SECONDS || defaultLeaseSeconds);
  return { maxBytes: megabytes * 1024 * 1024, leaseMs: seconds * 1_000 };
}

/** Options of `openRecord`. */
interface RecordOptions {
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
  /** Milliseconds to wait before this job writes after a job that was killed. */
  readonly leaseMs: number;
  /** This job, and how it finds out whether another one has ended. */
  readonly process: CarriedProcess;
  readonly environment: Environment;
}

/** Opens a storage of runs whose files are stored in a ref of the repository that the job works for. */
function openRecord(options: RecordOptions, at: OpenStorageAt): RunStorage {
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
