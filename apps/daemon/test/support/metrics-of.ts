import type { TaskBoard } from '@agent/orchestrator';
import type { StateSources } from '@agent/orchestrator/telemetry';
import { startMetrics } from '../../src/telemetry/start-metrics.ts';
import { serviceOf } from './service-of.ts';

/** Options of `openMetricsOf`; each has a default. */
export interface MetricsOfOptions extends Partial<StateSources> {
  /** Default: texts are left as they are. */
  readonly redact?: ((text: string) => string) | undefined;
}

/** Opens the metrics of a process that has this board, read as Prometheus does. */
export async function openMetricsOf(
  board: TaskBoard,
  { redact = (text) => text, ...sources }: MetricsOfOptions = {},
) {
  const now = sources.now ?? (() => 61_000);
  const metrics = await startMetrics({ scraped: true, sent: null, redact, now });
  metrics.addState({
    board: () => board.state,
    readService: async () => serviceOf(board),
    queue: { waiting: async () => [] },
    countResting: async () => ({ paused: 0, inReview: 0, held: 0 }),
    platforms: () => [],
    startedAt: 0,
    now,
    memory: () => ({ rss: 10, heapUsed: 5 }),
    onError: () => {},
    ...sources,
  });
  const read = metrics.read ?? (async () => '');
  return {
    read,
    observe: (...events: readonly Parameters<TaskBoard['observe']>[0][]) => {
      for (const event of events) {
        board.observe(event);
        metrics.observe(event);
      }
    },
    close: metrics.close,
  };
}
