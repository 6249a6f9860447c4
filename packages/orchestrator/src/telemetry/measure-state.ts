import type { Meter, ObservableGauge } from '@opentelemetry/api';
import type { BoardState } from '../board/board-state.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { findAway, type ServiceState } from '../state/service-state.ts';
import {
  type MeasuredState,
  type PlatformBudget,
  type ProcessMemory,
  type RestingCounts,
  stateGauges,
} from './state-gauges.ts';

/** Places where the state of a process is read. */
export interface StateSources {
  readonly board: () => BoardState;
  readonly readService: () => Promise<ServiceState>;
  /** Tasks that wait, with the milliseconds since 1970 since which they can begin. */
  readonly queue: { readonly waiting: () => Promise<readonly { readonly since: number }[]> };
  /** Counts the runs that do not work now; reads the storage. */
  readonly countResting: () => Promise<RestingCounts>;
  /** Platforms that are connected. */
  readonly platforms: () => readonly Pick<ConfiguredPlatform, 'platform' | 'requestsLeft' | 'contentsLeft'>[];
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly memory: () => ProcessMemory;
  /** Receives what could not be read. */
  readonly onError: (error: unknown) => void;
}

/**
 * Measures the state of a process with the gauges of a meter. It is read when they are; what cannot be read then is left out.
 * Readers have to select delta temporality for observable gauges: otherwise the SDK repeats labels that are gone.
 */
export function measureState(meter: Meter, sources: StateSources): void {
  const gauges = stateGauges.map(({ name, unit, description, read }) => ({
    instrument: meter.createObservableGauge(name, { description, ...(unit === undefined ? {} : { unit }) }),
    read,
  }));
  const instruments: ObservableGauge[] = gauges.map(({ instrument }) => instrument);
  meter.addBatchObservableCallback(async (result) => {
    const state = await readState(sources);
    for (const { instrument, read } of gauges)
      for (const [value, labels] of read(state)) result.observe(instrument, value, labels);
  }, instruments);
}

/** A place that cannot be read costs its own numbers, not all of them. Nothing is read from a database that is away. */
async function readState(sources: StateSources): Promise<MeasuredState> {
  const { board, readService, queue, countResting, platforms, startedAt, now, memory, onError } = sources;
  const service = await readService();
  const isAway = findAway(service) !== null;
  const read = async <Result>(work: () => Promise<Result>): Promise<Result | null> => {
    if (isAway) return null;
    return work().catch((error: unknown) => {
      onError(error);
      return null;
    });
  };
  const [queued, resting] = await Promise.all([read(() => queue.waiting()), read(countResting)]);
  return {
    ...{ service, resting, startedAt },
    board: board(),
    queued: queued?.map(({ since }) => since) ?? null,
    budgets: platforms().flatMap(listBudgets),
    now: now(),
    memory: memory(),
  };
}

function listBudgets({
  platform: { name: platform },
  requestsLeft,
  contentsLeft,
}: ReturnType<StateSources['platforms']>[number]): readonly PlatformBudget[] {
  const budgets = [
    { budget: 'primary', left: requestsLeft?.() ?? null },
    { budget: 'content', left: contentsLeft?.() ?? null },
  ] as const;
  return budgets.flatMap(({ budget, left }) =>
    left === null ? [] : [{ platform, budget, left: left.left, limit: left.limit }],
  );
}
