import type { Report } from '../report.ts';
import { findMedian, findPercentile } from '../statistics.ts';
import type { KeptRunCounts } from './fill-store.ts';

/** One round, in milliseconds. */
export interface RestartTimes {
  /** From before the spawn to the first look for issues, where no run lies. */
  readonly empty: number;
  /** The same where the runs lie. */
  readonly filled: number;
  /** The store's listings alone. */
  readonly store: number;
}

/** The figures in a table. */
export function toRestartReport(
  times: readonly RestartTimes[],
  { paused, completed }: KeptRunCounts,
): Report {
  const toRow = (name: string, values: readonly number[]) => [
    name,
    findMedian(values),
    findPercentile(values, 0.9),
    Math.max(...values).toFixed(1),
  ];
  const filled = times.map((round) => round.filled);
  const added = times.map((round) => round.filled - round.empty);
  return {
    title: `restart: ${paused} paused and ${completed} completed runs lie there`,
    tables: [
      {
        caption: `${times.length} interleaved rounds, warm compile cache, milliseconds`,
        columns: ['what', 'median', 'p90', 'longest'],
        rows: [
          toRow(
            'agent-daemon run, to its first poll, no runs',
            times.map(({ empty }) => empty),
          ),
          toRow('agent-daemon run, to its first poll, with them', filled),
          toRow('added by the runs, within each round', added),
          toRow(
            "the store's listings alone",
            times.map(({ store }) => store),
          ),
        ],
      },
    ],
    goals: [
      {
        name: 'restart to the first poll, p90',
        measured: findPercentile(filled, 0.9),
        atMost: 1_000,
        unit: 'ms',
      },
    ],
    notes: [
      'From before the spawn. At the first poll all kept runs have been read, and the threads of the paused ones asked for comments: it looks for issues only after that.',
      "The paused runs are held by somebody's request. Those that nobody holds are gone on with, which begins after the first poll and takes as long as the work does.",
      'Every run has 20 messages; the files are in the cache of the system, as they are for a daemon that is started anew.',
    ],
  };
}
