import type { BoardState, MetricFamily, ServiceState } from '@agent/orchestrator';
import { type Measurements, toMetrics } from './to-metrics.ts';

/** Everything that metrics are read from. */
export interface MetricSources {
  readonly board: () => BoardState;
  readonly readService: () => Promise<ServiceState>;
  /** Keys of the queued tasks. */
  readonly queue: { readonly waiting: () => readonly string[] | Promise<readonly string[]> };
  /** Paused tasks; read from disk when asked. */
  readonly history: () => Promise<{
    readonly paused: readonly unknown[];
    readonly inReview?: readonly unknown[] | undefined;
    /** Changes that a person has to allow. Default 0. */
    readonly held?: number | undefined;
  }>;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly memory: () => { readonly rss: number; readonly heapUsed: number };
  /** Hears of what could not be read or answered. */
  readonly onError: (error: unknown) => void;
}

/** Reads the families that `/metrics` shows and that are sent by OTLP, as they are now. */
export async function readMetrics(sources: MetricSources): Promise<readonly MetricFamily[]> {
  return toMetrics(await measure(sources));
}

/** Reason why the database cannot be read now; null if it can. */
export const findAway = ({ problems }: Pick<ServiceState, 'problems'>): string | null =>
  problems.find(({ cause }) => cause === 'database')?.reason ?? null;

/** A place that cannot be read costs its own numbers, not all of them. */
async function measure(sources: MetricSources): Promise<Measurements> {
  const service = await sources.readService();
  const isAway = findAway(service) !== null;
  const resting = isAway
    ? null
    : await sources.history().then(
        ({ paused, inReview = [], held = 0 }) => ({
          ...{ paused: paused.length, inReview: inReview.length, held },
        }),
        (error: unknown) => {
          sources.onError(error);
          return null;
        },
      );
  const { startedAt } = sources;
  return {
    board: sources.board(),
    queued: isAway ? null : (await sources.queue.waiting()).length,
    service,
    now: sources.now(),
    paused: resting?.paused ?? null,
    inReview: resting?.inReview ?? null,
    held: resting?.held ?? null,
    startedAt,
    memory: sources.memory(),
  };
}
