import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaskReference } from '@agent/platforms';
import type { Logger } from '@agent/text';
import { createKeyedTurns } from '@agent/text/waiting';
import { z } from 'zod';
import { translated } from '../context-store-error.ts';
import { listEntries, privateDirectory, privateFile, readFileIfThere } from '../disk/files.ts';
import { dropTornLine } from '../disk/lines.ts';
import { isRunDirectory, removeIfThere, removeLeftovers } from '../disk/run-directories.ts';
import { parseOrNull } from '../disk/stored-values.ts';
import { type RunPlaces, type RunPlacesOptions, toIndexPlaces, toRunPlaces } from '../places.ts';
import { isUuid } from '../storage-names.ts';
import { type IndexedRun, type TaskIndex, toFirstKeptDay } from './indexed-run.ts';

/** A run that is in a day's file. */
export interface ExpiringRun extends TaskReference {
  readonly uuid: string;
}

/** A day of which every run has expired. */
export interface ExpiredDay {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly runs: readonly ExpiringRun[];
}

/** Which runs ended on which day: what clean-up reads, instead of looking at every run there is. */
export interface ExpiryFiles {
  /** Adding a run twice is the same as adding it once. */
  readonly add: (run: IndexedRun) => Promise<void>;
  /** The days, oldest first, whose last moment lies more than the given days before `now`. */
  readonly listExpired: (now: Date, options: { readonly keepDays: number }) => Promise<readonly ExpiredDay[]>;
  /** To be called once no run of the day is left. */
  readonly forget: (day: string) => Promise<void>;
}

interface ExpiryFilesOptions {
  readonly baseDirectory: string;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
}

const lineSchema = z
  .object({ uuid: z.string(), task_key_hash: z.string(), host: z.string() })
  .transform(({ uuid, task_key_hash, host }) => ({ uuid, taskKeyHash: task_key_hash, host }));

/** One for the process, whose files they are. */
const inTurnOf = createKeyedTurns();

/** `index/expiry/YYYY-MM-DD.jsonl`, by the day on which a run ended: what is kept longer later is in the same file. */
export function createExpiryFiles({ baseDirectory, logger = null }: ExpiryFilesOptions): ExpiryFiles {
  const { expiry } = toIndexPlaces(baseDirectory);
  const toPath = (day: string) => join(expiry, `${day}.jsonl`);

  async function add(run: IndexedRun): Promise<void> {
    const path = toPath(toDay(run));
    const { uuid, taskKeyHash, host } = run;
    await mkdir(expiry, { recursive: true, mode: privateDirectory });
    await writeFile(path, '', { flag: 'a', mode: privateFile });
    await dropTornLine(path);
    const line = `${JSON.stringify({ uuid, task_key_hash: taskKeyHash, host })}\n`;
    await writeFile(path, line, { flag: 'a', mode: privateFile, flush: true });
  }

  async function readDay(day: string): Promise<ExpiredDay> {
    const lines = ((await readFileIfThere(toPath(day))) ?? '').split('\n').filter((line) => line !== '');
    const runs = lines
      .map((line) => parseOrNull(line, (json) => lineSchema.parse(json)))
      .filter((run) => run !== null);
    if (runs.length < lines.length) {
      const unreadable = lines.length - runs.length;
      logger?.warn({ path: toPath(day), unreadable }, 'ignoring unreadable lines in expiry list');
    }
    return { day, runs: [...new Map(runs.map((run) => [run.uuid, run])).values()] };
  }

  async function listExpired(now: Date, { keepDays }: { readonly keepDays: number }) {
    const names = await listEntries(expiry);
    const days = names.flatMap((name) => /^(\d{4}-\d\d-\d\d)\.jsonl$/.exec(name)?.[1] ?? []).sort();
    const expired = days.filter((day) => day < toFirstKeptDay(now.getTime(), keepDays));
    return Promise.all(expired.map(readDay));
  }

  return {
    add: (run) =>
      translated(
        inTurnOf(toPath(toDay(run)), () => add(run)),
        `write in "${expiry}"`,
      ),
    listExpired: (now, options) => translated(listExpired(now, options), `read "${expiry}"`),
    forget: (day) => translated(rm(toPath(day), { force: true }), `remove "${toPath(day)}"`),
  };
}

/** A run whose end is unknown goes by its beginning. */
function toDay({ completedAt, createdAt }: IndexedRun): string {
  return new Date(completedAt ?? createdAt).toISOString().slice(0, 10);
}

/** Options of the removal of runs that have expired. */
export interface CleanUpOptions extends RunPlacesOptions {
  readonly index: Pick<TaskIndex, 'remove'>;
  readonly expiry: Pick<ExpiryFiles, 'listExpired' | 'forget'>;
  readonly now: Date;
  readonly keepDays: number;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
}

/**
 * Removes the runs that ended too long ago, their directories first; safe to repeat after a crash. Resolves with
 * their uuids. What is running or paused under such a name stays. Only the owner of the directory may call this.
 * @see seed 002 §8.2
 */
export function cleanUpRuns(options: CleanUpOptions): Promise<readonly string[]> {
  const places = toRunPlaces(options);
  return translated(cleanUp(places, options), `clean up "${places.completed}"`);
}

async function cleanUp(places: RunPlaces, options: CleanUpOptions): Promise<readonly string[]> {
  const { index, expiry, now, keepDays, logger } = options;
  await removeLeftovers(places.completed);
  const removed: string[] = [];
  for (const { day, runs } of await expiry.listExpired(now, { keepDays })) {
    let kept = 0;
    for (const run of runs.filter(({ uuid }) => isUuid(uuid))) {
      if (await isInUse(run, places)) {
        kept += 1;
        continue;
      }
      if (await removeIfThere(join(places.completed, run.uuid))) removed.push(run.uuid);
      await index.remove(run, run.uuid);
    }
    if (kept === 0) await expiry.forget(day);
  }
  if (removed.length > 0) logger?.info({ runs: removed.length, keepDays }, 'removed expired runs');
  return removed;
}

async function isInUse({ uuid }: ExpiringRun, { running, paused }: RunPlaces): Promise<boolean> {
  return (await isRunDirectory(join(running, uuid))) || (await isRunDirectory(join(paused, uuid)));
}
