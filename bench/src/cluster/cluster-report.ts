import type { Goal, Report, Table } from '../report.ts';
import { findMedian, findPercentile } from '../statistics.ts';
import type { AppendTimes } from './measure-append.ts';
import type { ClaimTimes } from './measure-claims.ts';
import type { StepCosts } from './measure-steps.ts';
import type { WaitingMemory } from './measure-waiting.ts';
import type { WorkersCosts } from './measure-workers.ts';

export interface ClusterFigures {
  readonly append: AppendTimes;
  readonly claims: readonly ClaimTimes[];
  /** Ascending by workers, beginning with one. */
  readonly workers: readonly WorkersCosts[];
  readonly steps: readonly StepCosts[];
  /** Statements a second of each process that has nothing to do. */
  readonly idle: number;
  readonly waiting: WaitingMemory;
}

/** The figures in tables, held against the goals. */
export function toClusterReport(figures: ClusterFigures): Report {
  return {
    title: 'cluster: several processes that share their work by a database',
    tables: [toAppendTable(figures), toClaimTable(figures), toWorkersTable(figures)],
    goals: toGoals(figures),
    notes: [
      'The server is a PostgreSQL on this machine that waits for its disk at each commit; nothing of a network is in the figures.',
      'Appends: the same short messages to a run in files and to one in the database, a batch each in turn; both wait for the disk.',
      'A claim is the whole of its transaction, with the wait for the claims of others. The tasks end at once, so that claims are all that workers do.',
      'Workers: as many tasks for each, of one repository, each of five steps with a commit, a push and a change request; two at a time in each worker; the model takes a second for an answer. All of it, with the simulator, shares the processors of this machine. The processor time is that of the daemons (one that looks, too) and of git; what processes ask for by the clock is in it.',
      'Statements are those that the server counted, BEGIN and COMMIT among them. Those of a step are the difference between a run of 42 steps and one of 2.',
      `Memory: live after a collection, the difference of ${figures.waiting.runs[1]} runs that wait for their models to ${figures.waiting.runs[0]}, for each run, without the program as V8 compiled it: what the first runs load serves all. With the program it is ${Math.round(figures.waiting.withCodeKb)} KB.`,
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

function toWorkersTable({ workers }: ClusterFigures): Table {
  return {
    caption: 'The same work with more workers, and a model that takes a second',
    columns: [
      'workers',
      'tasks',
      'tasks a minute',
      'statements a task',
      'daemons, ms a task',
      'server, ms a task',
    ],
    rows: workers.map(({ workers: count, tasks, elapsedMs, used }) => [
      String(count),
      tasks,
      ((tasks * 60_000) / elapsedMs).toFixed(1),
      (used.statements / tasks).toFixed(1),
      Math.round(used.daemonsMs / tasks),
      Math.round(used.serverMs / tasks),
    ]),
  };
}

function toGoals(figures: ClusterFigures): readonly Goal[] {
  const { claims, steps, idle, waiting } = figures;
  return [
    ...claims.map(toClaimGoal),
    ...toGrowthGoals(figures),
    ...steps.map(({ kind, statements }) => ({
      name: `statements of a step that ${kind === 'read' ? 'reads' : 'changes'} a file`,
      ...{ measured: statements, atMost: 6, unit: '' },
    })),
    { name: 'statements a second of an idle process', measured: idle, atMost: 1, unit: '' },
    { name: 'live memory of a run that waits', measured: waiting.liveKb, atMost: 150, unit: 'KB' },
  ];
}

/** What a task costs with the most workers, over what it costs with one. */
function toGrowthGoals({ workers }: ClusterFigures): readonly Goal[] {
  const [first, last] = [workers[0], workers.at(-1)];
  if (first === undefined || last === undefined) throw new Error('No workers were measured.');
  const toGoal = (what: string, read: (one: WorkersCosts['used']) => number): Goal => ({
    name: `${what} a task, ${last.workers} workers over ${first.workers}`,
    measured: read(last.used) / last.tasks / (read(first.used) / first.tasks),
    ...{ atMost: 1.15, unit: '×' },
  });
  return [
    toGoal('statements', ({ statements }) => statements),
    toGoal('processor time', ({ daemonsMs, serverMs }) => daemonsMs + serverMs),
  ];
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
