import { ContextStoreError, type RunStorage } from '@agent/run-store';
import { z } from 'zod';
import type { RunLogger } from '../ports.ts';
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
 * Stores a report of this process for all others whenever its conditions, holds or number of runs change. The board first learns what an
 * earlier process of this host and role reported last.
 *
 * @returns what ends it, once the last report is stored
 */
export async function keepReport(board: TaskBoard, options: KeepReportOptions): Promise<() => Promise<void>> {
  const { storage, describe, redact, logger } = options;
  const earlier = await findEarlier(storage, describe()).catch((error: unknown) => {
    logger.warn({ err: error }, 'failed to read earlier process reports');
    return null;
  });
  if (earlier !== null) board.observe({ type: 'earlier', conditions: earlier.conditions });
  let stored = '';
  let writing = Promise.resolve();
  const write = async (): Promise<void> => {
    const report = toReportJson(toReport(board.state, { process: describe(), redact }));
    const text = JSON.stringify(report);
    if (text === stored) return;
    const living = new Set((await storage.members.list()).map(({ number }) => number));
    const change = (before: unknown) => [
      ...keepOthers(parseProcessReports(before), { living, own: report.number }).map(toReportJson),
      report,
    ];
    await storage.notes.change(note, change).catch((error: unknown) => {
      if (!(error instanceof z.ZodError || (ContextStoreError.isInstance(error) && error.code === 'damaged')))
        throw error;
      // Nobody can use what cannot be read.
      return storage.notes.write(note, [report]);
    });
    stored = text;
  };
  let seen: unknown[] = [];
  const keep = (): void => {
    const { conditions, holds, running } = board.state;
    const now = [conditions, holds, running.size];
    if (now.every((one, index) => one === seen[index])) return;
    seen = now;
    writing = writing
      .then(write)
      .catch((error: unknown) => logger.warn({ err: error }, 'failed to store process report'));
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
  { conditions, holds, running }: BoardState,
  { process, redact }: { readonly process: ReportedProcess; readonly redact: (text: string) => string },
): ProcessReport {
  const hide = (reason: string | null) => (reason === null ? null : redact(reason));
  return {
    ...process,
    running: running.size,
    conditions: [...conditions.values()].map((one) => ({ ...one, reason: hide(one.reason) })),
    holds: holds.map((one) => ({ ...one, reason: hide(one.reason) })),
  };
}

/** Reads the last report of each process. @throws ZodError for a damaged note */
export async function readProcessReports({
  notes,
}: Pick<RunStorage, 'notes'>): Promise<readonly ProcessReport[]> {
  return parseProcessReports(await notes.read(note));
}

async function findEarlier(
  storage: KeepReportOptions['storage'],
  { number, host, role }: ReportedProcess,
): Promise<ProcessReport | null> {
  const living = new Set((await storage.members.list()).map((member) => member.number));
  const earlier = (await readProcessReports(storage)).filter(
    (report) =>
      report.host === host && report.role === role && !living.has(report.number) && report.number < number,
  );
  return earlier.toSorted((one, other) => other.number - one.number)[0] ?? null;
}

function keepOthers(
  before: readonly ProcessReport[],
  { living, own }: { readonly living: ReadonlySet<number>; readonly own: number },
): readonly ProcessReport[] {
  const others = before
    .filter(({ number }) => number !== own)
    .toSorted((one, other) => other.number - one.number);
  const gone = others.filter(({ number }) => !living.has(number)).slice(0, keptReports);
  return others.filter((report) => living.has(report.number) || gone.includes(report));
}
