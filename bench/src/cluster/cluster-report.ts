import type { Goal, Report, Table } from '../report.ts';
import { findMedian, findPercentile } from '../statistics.ts';
import type { AppendTimes } from './measure-append.ts';
import type { ClaimTimes } from './measure-claims.ts';

export interface ClusterFigures {
  readonly append: AppendTimes;
  readonly claims: readonly ClaimTimes[];
}

/** The figures in tables, held against the goals. */
export function toClusterReport(figures: ClusterFigures): Report {
  return {
    title: 'cluster: several processes that share their work by a database',
    tables: [toAppendTable(figures), toClaimTable(figures)],
    goals: figures.claims.map(toClaimGoal),
    notes: [
      'The server is a PostgreSQL on this machine that waits for its disk at each commit; nothing of a network is in the figures.',
      'Appends: the same short messages to a run in files and to one in the database, a batch each in turn; both wait for the disk.',
      'A claim is the whole of its transaction, with the wait for the claims of others. The tasks end at once, so that claims are all that workers do.',
    ],
  };
}

const p99 = (times: readonly number[]): number => findPercentile(times, 0.99);

function toAppendTable({ append }: ClusterFigures): Table {
  const toRow = (name: string, times: readonly number[]) => [
    name,
    findMedian(times).toFixed(2),
    p99(times).toFixed(2),
  ];
  return {
    caption: `An append, ms (${append.files.length} each)`,
    columns: ['where', 'median', 'p99'],
    rows: [toRow('files', append.files), toRow('PostgreSQL', append.postgres)],
  };
}

function toClaimTable({ claims }: ClusterFigures): Table {
  return {
    caption: 'A claim out of a long queue, ms',
    columns: ['workers', 'waiting', 'claims', 'median', 'p99'],
    rows: claims.map((one) => [
      String(one.workers),
      one.waiting,
      one.claims.length,
      findMedian(one.claims).toFixed(1),
      p99(one.claims).toFixed(1),
    ]),
  };
}

function toClaimGoal({ claims, waiting, workers }: ClaimTimes): Goal {
  const who = workers === 1 ? 'one worker' : `${workers} workers at once`;
  return {
    name: `p99 of a claim, ${who}, ${waiting} waiting`,
    measured: p99(claims),
    atMost: 50,
    unit: 'ms',
  };
}
