import { type Logger, toErrorMessage } from '@agent/text';
import {
  type DocumentState,
  type EndedRun,
  formatEndedRun,
  type OpenRun,
  parseEndedRun,
  parseKey,
  parseOpenRun,
  toKey,
} from './memory-record.ts';
import type { MemoryStorage } from './memory-storage.ts';
import { type Heartbeat, isAlive, type ProcessAccess } from './running-process.ts';

/** Access to the runs of all threads. */
export interface RunAccess {
  readonly storage: MemoryStorage;
  readonly processes: ProcessAccess;
  readonly now: () => Date;
  readonly logger: Logger | null;
}

/** Runs of a thread as they are stored. */
export interface ThreadRuns {
  /** Newest end first. */
  readonly ended: readonly EndedRun[];
  readonly running: readonly OpenRun[];
  /** Runs whose process is gone, not filed yet. */
  readonly crashed: readonly OpenRun[];
  /** Keys of documents of runs that have ended, and that a crash kept from being deleted. */
  readonly leftOver: readonly string[];
  /** Keys of documents that could not be parsed. */
  readonly unreadable: readonly string[];
}

/** Reads all runs of a thread. A run's own end counts more than a crash that another process filed. */
export async function readThreadRuns(
  thread: string,
  { storage, processes, now, logger }: RunAccess,
): Promise<ThreadRuns> {
  const ended: EndedRun[] = [];
  const running: OpenRun[] = [];
  const crashed: OpenRun[] = [];
  const leftOver: string[] = [];
  const unreadable: string[] = [];
  const parse = <Run>(
    id: string,
    state: DocumentState,
    read: (text: string) => Run,
    text: string,
  ): Run | null => {
    try {
      return read(text);
    } catch (error) {
      const key = toKey(id, state);
      unreadable.push(key);
      logger?.warn({ key, reason: toErrorMessage(error) }, 'ignoring unreadable run of memory');
      return null;
    }
  };
  const isAliveNow = (run: Heartbeat) => isAlive(run, { ...processes, now: now().getTime() });
  for (const [id, texts] of groupById(await storage.list(thread))) {
    const { open: openText, crashed: crashedText, ended: endedText } = texts;
    if (endedText !== undefined) {
      const run = parse(id, 'ended', parseEndedRun, endedText);
      if (run !== null) ended.push(run);
      leftOver.push(
        ...(['open', 'crashed'] as const).filter((state) => texts[state]).map((state) => toKey(id, state)),
      );
      continue;
    }
    const open = openText === undefined ? null : parse(id, 'open', parseOpenRun, openText);
    const filed = crashedText === undefined ? null : parse(id, 'crashed', parseEndedRun, crashedText);
    if (open !== null) (isAliveNow(open) ? running : crashed).push(open);
    // A run that was filed too early can have saved more and crashed afterwards: its own document is at least as new.
    else if (filed !== null) ended.push(filed);
  }
  return { ended: ended.toSorted(byEnd), running, crashed, leftOver, unreadable };
}

type RunTexts = Partial<Record<DocumentState, string>>;

function groupById(documents: Awaited<ReturnType<MemoryStorage['list']>>): ReadonlyMap<string, RunTexts> {
  const runs = new Map<string, RunTexts>();
  for (const { key, text } of documents) {
    const parsed = parseKey(key);
    if (parsed !== null) runs.set(parsed.id, { ...runs.get(parsed.id), [parsed.state]: text });
  }
  return runs;
}

function byEnd(one: EndedRun, other: EndedRun): number {
  return (
    compare(other.endedAt, one.endedAt) ||
    compare(other.startedAt, one.startedAt) ||
    compare(one.id, other.id)
  );
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** The present time, or if clocks disagree, a time after all ends that are known. ISO 8601, UTC. */
export function toTimeAfter(now: Date, ended: readonly EndedRun[]): string {
  const [newest] = ended;
  const earliest = newest === undefined ? Number.NEGATIVE_INFINITY : Date.parse(newest.endedAt) + 1;
  return new Date(Math.max(now.getTime(), earliest)).toISOString();
}

/** Reason of a run whose process is gone. */
export const crashReason = 'The process ended before the run finished.';

/** Files crashed runs as failed, with the results that they saved, and deletes documents that are no longer needed. */
export async function fileCrashedRuns(
  thread: string,
  { crashed, ended, leftOver }: ThreadRuns,
  { storage, logger }: Pick<RunAccess, 'storage' | 'logger'>,
): Promise<readonly EndedRun[]> {
  const filed: EndedRun[] = [];
  for (const { process: _, beatAt, ...run } of crashed) {
    const lastSeen = Math.max(beatAt, Date.parse(run.startedAt) + 1);
    const endedAt = new Date(lastSeen).toISOString();
    const failed: EndedRun = { ...run, endedAt, status: 'failed', reason: crashReason };
    await storage.write(thread, formatEndedRun(failed, 'crashed'));
    filed.push(failed);
    logger?.info({ run: run.id }, 'filed crashed run as failed');
  }
  for (const key of [...leftOver, ...crashed.map(({ id }) => toKey(id, 'open'))])
    await storage.remove(thread, key);
  return [...filed, ...ended].toSorted(byEnd);
}
