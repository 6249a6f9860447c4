import type { BoardState, Hold, MetricFamily } from '@agent/orchestrator';
import { type Measurements, toMetrics } from './to-metrics.ts';

/** Everything that metrics are read from. */
export interface MetricSources {
  readonly board: () => BoardState;
  /** Has the board say what the place of the runs is like now. */
  readonly checkStorage: () => Promise<void>;
  /** The tasks that wait for their turn, and what holds them back. */
  readonly queue: {
    readonly waiting: () => readonly string[] | Promise<readonly string[]>;
    readonly hold: () => Hold | null;
  };
  /** Paused tasks; read from disk when asked. */
  readonly history: () => Promise<{
    readonly paused: readonly unknown[];
    readonly inReview?: readonly unknown[] | undefined;
    /** Changes that a person has to allow. Default 0. */
    readonly held?: number | undefined;
  }>;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly memory: () => { readonly rss: number; readonly heapUsed: number };
  /** Hears of what could not be read or answered. */
  readonly onError: (error: unknown) => void;
}

/** Reads the families that `/metrics` shows and that are sent by OTLP, as they are now. */
export async function readMetrics(sources: MetricSources): Promise<readonly MetricFamily[]> {
  return toMetrics(await measure(sources));
}

/** Tells what is the matter with a database that has to be waited for, so that nobody who asks waits with it; else null. */
export async function findAway({ checkStorage, board }: Pick<MetricSources, 'checkStorage' | 'board'>) {
  await checkStorage();
  const found = board().conditions.get('database');
  return found === undefined || found.state === 'ok' ? null : found.reason;
}

/** A place that cannot be read costs its own numbers, not all of them. */
async function measure(sources: MetricSources): Promise<Measurements> {
  const isAway = (await findAway(sources)) !== null;
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
    heldBackMs: sources.queue.hold()?.waitMs ?? 0,
    paused: resting?.paused ?? null,
    inReview: resting?.inReview ?? null,
    held: resting?.held ?? null,
    startedAt,
    memory: sources.memory(),
  };
}
