import { basename, join, resolve } from 'node:path';
import { type Expectation, type ExpectationsOf, expected } from '@agent/text/options';
import { ContextStoreError } from './context-store-error.ts';
import { isTaskKeyHash } from './storage-names.ts';

export interface RunPlacesOptions {
  /** Holds `running/` and `completed/`; made when it is missing. */
  readonly baseDirectory: string;
  /** Directory of paused runs, on the file system of the base. Default `paused` in the base directory. */
  readonly pausedDirectory?: string | undefined;
}

/** Directories of the runs of one store. @see seed 002 §2.1 */
export interface RunPlaces {
  readonly running: string;
  readonly paused: string;
  readonly completed: string;
  /** One line for each run that ended. */
  readonly recent: string;
}

const expectPath: Expectation = { ...expected.text, text: 'a path' };

/** Conditions of the directories of a store. */
export const placesExpectations: ExpectationsOf<RunPlacesOptions> = {
  baseDirectory: expectPath,
  pausedDirectory: expectPath,
};

export function toRunPlaces({ baseDirectory, pausedDirectory }: RunPlacesOptions): RunPlaces {
  const base = resolve(baseDirectory);
  return {
    running: join(base, 'running'),
    paused: pausedDirectory === undefined ? join(base, 'paused') : resolve(pausedDirectory),
    completed: join(base, 'completed'),
    recent: join(base, 'recent.jsonl'),
  };
}

/** Files of a run in its directory. @see seed 002 §2 */
export interface JournalFiles {
  readonly directory: string;
  readonly metadata: string;
  readonly messages: string;
  readonly current: string;
  readonly tools: string;
  readonly summaries: string;
  /** Decisions of a planning mode; there for a run that planned. @see seed 002 §13.2 */
  readonly planning: string;
  readonly outcome: string;
  readonly taskState: string;
}

export function toJournalFiles(directory: string): JournalFiles {
  return {
    directory,
    metadata: join(directory, 'metadata.json'),
    messages: join(directory, 'messages.jsonl'),
    current: join(directory, 'current.jsonl'),
    tools: join(directory, 'tools.jsonl'),
    summaries: join(directory, 'summaries.jsonl'),
    planning: join(directory, 'planning', `${basename(directory)}.jsonl`),
    outcome: join(directory, 'outcome.json'),
    taskState: join(directory, 'task_state.json'),
  };
}

/** Places of the index in a base directory. */
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

/**
 * The file of one task: `index/ab/abcdef….json`. @see decision X12
 * @throws {ContextStoreError} `invalid`: a text that is no hash could lead out of the directory
 */
export function toRecordPath({ root }: IndexPlaces, taskKeyHash: string): string {
  if (isTaskKeyHash(taskKeyHash)) return join(root, taskKeyHash.slice(0, 2), `${taskKeyHash}.json`);
  const message = `${JSON.stringify(taskKeyHash)} is not a SHA-256 in hexadecimal, as hashTaskKey makes them.`;
  throw new ContextStoreError(message, { code: 'invalid' });
}
