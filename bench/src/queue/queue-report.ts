import type { Goal, Report, Table } from '../report.ts';
import type { Burst } from './measure-burst.ts';
import type { QueueHour } from './measure-hour.ts';

export interface QueueFigures {
  /** Ascending by tasks. */
  readonly bursts: readonly Burst[];
  readonly gitPerTask: number;
  readonly hour: QueueHour;
}

/** The figures in tables, held against the goals. */
export function toQueueReport(figures: QueueFigures): Report {
  return {
    title: 'queue: many tasks that end at once, and many that wait',
    tables: [toBurstTable(figures), toHourTable(figures)],
    goals: toGoals(figures),
    notes: [
      `All tasks are of one repository and change nothing; ${figures.gitPerTask.toFixed(1)} git processes a task, from its worktree to its removal.`,
      "A burst begins when all tasks wait in their first model call and ends with the process. GitHub's spacing of writes is off there.",
      'The queue at limits: 5,000 requests an hour, 900 points and 80 contents a minute, 500 contents an hour, writes a second apart, 8 runs at a time; the clocks of the daemon and of the simulator run 60 times as fast.',
      'Requests are REST requests that counted; answers "not modified" are free.',
    ],
  };
}

function toBurstTable({ bursts }: QueueFigures): Table {
  return {
    caption: 'Tasks whose models answer at once',
    columns: ['tasks', 'all ended after, s', 'per task, ms', 'without a last look', 'put back'],
    rows: bursts.map(({ tasks, untilEndMs, withoutLastPoll, putBack }) => [
      String(tasks),
      (untilEndMs / 1_000).toFixed(1),
      Math.round(untilEndMs / tasks),
      withoutLastPoll,
      putBack,
    ]),
  };
}

function toHourTable({ hour }: QueueFigures): Table {
  return {
    caption: `${hour.tasks} issues that wait, at GitHub's limits`,
    columns: ['what', 'figure'],
    rows: [
      ['completed', hour.completed],
      ['last one ended after, minutes of the scaled clock', Math.round(hour.lastEndedMinutes)],
      ['requests a run', hour.requestsPerRun.toFixed(1)],
      ['refused by a limit', hour.refused],
      ['repeated reads of an issue', hour.repeatedReads],
      ['runs without a last look', hour.withoutLastPoll],
      ['tasks put back', hour.putBack],
    ],
  };
}

function toGoals({ bursts, hour }: QueueFigures): readonly Goal[] {
  const last = bursts.at(-1);
  const first = bursts[0];
  if (first === undefined || last === undefined) throw new Error('No burst was measured.');
  const perTask = ({ untilEndMs, tasks }: Burst) => untilEndMs / tasks;
  const withoutPoll = [...bursts, hour].reduce((sum, one) => sum + one.withoutLastPoll + one.putBack, 0);
  return [
    {
      name: `${last.tasks} tasks at once, all ended`,
      measured: last.untilEndMs / 1_000,
      atMost: 10,
      unit: 's',
    },
    {
      name: `time per task, ${last.tasks} over ${first.tasks}`,
      measured: perTask(last) / perTask(first),
      atMost: 1.2,
      unit: '×',
    },
    { name: 'runs without a last look, and tasks put back', measured: withoutPoll, atMost: 0, unit: '' },
    { name: 'waiting issues that were completed', measured: hour.completed, atLeast: hour.tasks, unit: '' },
    { name: 'requests a run', measured: hour.requestsPerRun, atMost: 30, unit: '' },
    {
      name: 'refused and repeated requests',
      measured: hour.refused + hour.repeatedReads,
      atMost: 0,
      unit: '',
    },
  ];
}
