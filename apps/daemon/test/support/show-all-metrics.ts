import { TaskBoard } from '@agent/orchestrator';
import { allEvents } from './all-events.ts';
import { openMetricsOf } from './metrics-of.ts';
import { parsePrometheus } from './parse-prometheus.ts';

/** Shows the metrics of a process in which everything happened that is measured. */
export async function showAllMetrics() {
  const requestsLeft = () => ({ left: 4_100, limit: 5_000, resetsAt: null });
  const metrics = await openMetricsOf(new TaskBoard({ now: () => 1_000 }), {
    platforms: () => [{ platform: { name: 'github' } as never, requestsLeft }],
  });
  metrics.observe(...allEvents);
  try {
    return parsePrometheus(await metrics.read());
  } finally {
    await metrics.close();
  }
}
