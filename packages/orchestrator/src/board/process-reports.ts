import { ContextStoreError, type JsonObject, type RunStorage } from '@agent/run-store';
import { ErrorEpisodes } from '@agent/text';
import { z } from 'zod';
import type { RunLogger } from '../host/ports.ts';
import {
  type ProcessReport,
  parseProcessReports,
  type ReportedProcess,
  toReportJson,
} from '../state/process-report.ts';
import type { BoardState } from './board-state.ts';
import type { TaskBoard } from './task-board.ts';

/** Name of the note with the reports of all processes. */
const note = 'processes';

/** Reports of crashed or stopped processes that are kept: their successors take over the start of what is still wrong. */
const keptReports = 20;

/** Options of `keepReport`. */
export interface KeepReportOptions {
  readonly storage: Pick<RunStorage, 'notes' | 'members'>;
  /** Facts about this process that the board does not know. */
  readonly describe: () => ReportedProcess;
  readonly redact: (text: string) => string;
  readonly logger: RunLogger;
}

/**
 * Stores a report of this process for all others whenever its conditions, holds, notices or number of runs change. The board first learns what an
 * earlier process of this role reported last.
 *
 * @returns what ends it, once the last report is stored
 */
export async function keepReport(board: TaskBoard, options: KeepReportOptions): Promise<() => Promise<void>> {
  const { storage, describe, redact, logger } = options;
  const earlier = await findEarlier(storage, describe()).catch((error: unknown) => {
    logger.warn({ err: error }, 'failed to read earlier process reports');
    return null;
  });
  if (earlier !== null)
    board.observe({ type: 'earlier', conditions: earlier.conditions, holds: earlier.holds });
  const episodes = new ErrorEpisodes();
  let stored = '';
  let writing = Promise.resolve();
  const write = async (): Promise<void> => {
    const report = toReportJson(toReport(board.state, { process: describe(), redact }));
    const text = JSON.stringify(report);
    if (text === stored) return;
    const living = new Set((await storage.members.list()).map(({ number }) => number));
    const change = (before: unknown) => [...keepOthers(before, { living, own: report.number }), report];
    await storage.notes.change(note, change).catch((error: unknown) => {
      if (!ContextStoreError.isInstance(error) || error.code !== 'damaged') throw error;
      // The other processes store theirs again with their next change.
      return storage.notes.write(note, [report]);
    });
    stored = text;
  };
  let seen: unknown[] = [];
  const keep = (): void => {
    const { conditions, holds, notices, running } = board.state;
    const now = [conditions, holds, notices, running.size];
    if (now.every((one, index) => one === seen[index])) return;
    seen = now;
    writing = writing
      .then(write)
      .then(() => episodes.end(''))
      .catch((error: unknown) =>
        episodes.fail('', error, { logger, message: 'failed to store process report' }),
      );
  };
  const stop = board.subscribe(keep);
  keep();
  return () => {
    stop();
    return writing;
  };
}

/** Report of this process as it is now. */
export function toReport(
  { conditions, holds, notices, running }: BoardState,
  { process, redact }: { readonly process: ReportedProcess; readonly redact: (text: string) => string },
): ProcessReport {
  const hide = (reason: string | null) => (reason === null ? null : redact(reason));
  return {
    ...process,
    running: running.size,
    conditions: [...conditions.values()].map((one) => ({ ...one, reason: hide(one.reason) })),
    holds: holds.map((one) => ({ ...one, reason: hide(one.reason) })),
    notices: notices.map((one) => ({ ...one, text: hide(one.text), remedy: hide(one.remedy) })),
  };
}

/** Reads the last report of each process. A damaged note has none. */
export async function readProcessReports({
  notes,
}: Pick<RunStorage, 'notes'>): Promise<readonly ProcessReport[]> {
  try {
    return parseProcessReports(await notes.read(note));
  } catch (error) {
    if (ContextStoreError.isInstance(error) && error.code === 'damaged') return [];
    throw error;
  }
}

/** Finds the last report of a process with this role that started before: it may be this process before its restart, also if it crashed. */
async function findEarlier(
  storage: Pick<RunStorage, 'notes'>,
  { number, role }: ReportedProcess,
): Promise<ProcessReport | null> {
  const earlier = (await readProcessReports(storage)).filter(
    (report) => report.role === role && report.number < number,
  );
  return earlier.toSorted((one, other) => other.number - one.number)[0] ?? null;
}

const numbered = z.looseObject({ number: z.number() });

/** Keeps what other processes stored, in any form: all that run, and the last ones of the others. */
function keepOthers(
  before: unknown,
  { living, own }: { readonly living: ReadonlySet<number>; readonly own: number },
): readonly JsonObject[] {
  const others = (Array.isArray(before) ? before : [])
    .flatMap((one) => numbered.safeParse(one).data ?? [])
    .filter(({ number }) => number !== own)
    .toSorted((one, other) => other.number - one.number);
  const gone = others.filter(({ number }) => !living.has(number)).slice(0, keptReports);
  return others.filter((one) => living.has(one.number) || gone.includes(one)) as JsonObject[];
}
