import type { RunStorage } from '@agent/run-store';
import { deriveServiceState, type ServiceFacts, type ServiceState } from '../state/service-state.ts';
import { readProcessReports } from './process-reports.ts';

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
