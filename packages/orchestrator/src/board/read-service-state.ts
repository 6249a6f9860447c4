import type { RunStorage } from '@agent/run-store';
import { deriveServiceState, type ServiceFacts, type ServiceState } from '../state/service-state.ts';
import { readProcessReports } from './process-reports.ts';
import type { TaskBoard } from './task-board.ts';

/** Options of `readServiceState`. */
export interface ReadServiceOptions {
  readonly storage: Pick<RunStorage, 'members' | 'notes' | 'pauseSignal' | 'sharing'>;
  /** Report of this process as it is now. Default null, for a process that only reads. */
  readonly own?: ServiceFacts['own'] | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Reads the state of the service. If the storage is away, the state of this process alone. */
export async function readServiceState({
  storage,
  own = null,
  now,
}: ReadServiceOptions): Promise<ServiceState> {
  const isShared = storage.sharing !== null;
  const isAway = own?.conditions.some(({ part, state }) => part === 'database' && state !== 'ok') ?? false;
  if (isAway) return deriveServiceState({ ...{ members: [], reports: [], pause: null, isShared, own, now } });
  const [members, reports, pause] = await Promise.all([
    storage.members.list(),
    readProcessReports(storage),
    storage.pauseSignal.read(),
  ]);
  const isComplete = reports.length > 0 && members.length > 0;
  const gone = isShared && isComplete ? await storage.members.listGone?.() : undefined;
  return deriveServiceState({ members, reports, pause, gone, isShared, own, now });
}

/** Milliseconds for which probes, metrics and pages share what was read. */
const sharedMs = 1_000;

/** Shares a reading among all who ask within a moment, until a condition of this process changes. A failed reading is not shared. */
export function shareForAMoment<Result>(
  { board, now }: { readonly board: TaskBoard; readonly now: () => number },
  read: () => Promise<Result>,
): () => Promise<Result> {
  let shared: { readonly at: number; readonly of: unknown; readonly reading: Promise<Result> } | null = null;
  return () => {
    const of = board.state.conditions;
    if (shared === null || shared.of !== of || Math.abs(now() - shared.at) >= sharedMs) {
      const current = { at: now(), of, reading: read() };
      current.reading.catch(() => {
        if (shared === current) shared = null;
      });
      shared = current;
    }
    return shared.reading;
  };
}
