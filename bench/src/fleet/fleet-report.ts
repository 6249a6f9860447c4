import type { Goal, Report, Table } from '../report.ts';
import { findPercentile } from '../statistics.ts';
import type { FleetFigures, FleetSetup } from './measure-fleet.ts';

/** A fleet and its hour. */
export interface Fleet extends FleetFigures, Pick<FleetSetup, 'tasks' | 'repositories' | 'way'> {
  /** Looks as often as the daemon does, not as the library does by default. */
  readonly isDaemonPace: boolean;
}

/** Of GitHub, an hour. */
const primaryLimit = 5_000;
const checksPerHour = 360;

/** The figures in tables. */
export function toFleetReport(fleets: readonly Fleet[]): Report {
  const own = fleets.filter(({ isDaemonPace, way }) => !isDaemonPace && way !== 'seed');
  return {
    title: 'fleet: an hour of many tasks on one credential',
    tables: [
      toTable('Polling', ofWay(own, 'polling')),
      toTable('With webhooks', ofWay(own, 'webhooks')),
      toTable(
        'Polling at the pace of the daemon: 1 to 10 s instead of 10 to 90 s',
        fleets.filter(({ isDaemonPace }) => isDaemonPace),
      ),
      toSeedTable(ofWay(fleets, 'seed')),
    ],
    goals: toGoals(own),
    notes: [
      'The parts of @agent/platforms/sources put together as the daemon does, with the real Octokit, against the simulated GitHub and its limits: 5,000 an hour, 900 points a minute. Every task checks every 10 s; 6 comments by others an hour on each thread, at random.',
      'By a virtual clock, event by event: an answer takes no time, and none is waited for. A webhook arrives half a second after its comment (assumed) and wakes its task; one that comes within a second of a look waits until the second is over. The manager is not in it, but its rules of spacing and backoff are.',
      '"To begin" is one listing of each thread and the first looks at the repositories, before the hour. "Heard" counts what was said in the hour and heard until three minutes after it.',
      'The 80 % of the limit that looks may take are 4,000 an hour. With webhooks for 30,000 comments over 50 repositories more would be needed: a look that shows news counts, and one repository has news every six seconds. Where none is left for a look, the comment is told as the webhook shows it, and confirmed by the polls.',
      `The seed's way was simulated for 1 and 50 tasks; for more it is ${checksPerHour} looks an hour for each, calculated. Its threads have one page here.`,
    ],
  };
}

function ofWay(fleets: readonly Fleet[], way: Fleet['way']): readonly Fleet[] {
  return fleets
    .filter((fleet) => fleet.way === way)
    .toSorted((one, other) => one.tasks - other.tasks || one.repositories - other.repositories);
}

const columns = [
  ...['tasks', 'repositories', 'to begin', 'requests', 'counted', 'of the limit', 'refused'],
  ...['p50, s', 'p99, s', 'heard'],
];

function toTable(caption: string, fleets: readonly Fleet[]): Table {
  return {
    caption: `${caption}: requests in the hour, delay from a comment to its being heard`,
    columns,
    rows: fleets.map(toRow),
  };
}

function toRow({ tasks, repositories, joining, requests, counted, refused, said, delaysMs }: Fleet) {
  const delay = (share: number) =>
    delaysMs.length === 0 ? '–' : (findPercentile(delaysMs, share) / 1000).toFixed(1);
  return [
    ...[String(tasks), repositories, joining, requests, counted],
    ...[`${((counted / primaryLimit) * 100).toFixed(0)} %`, refused],
    ...[delay(0.5), delay(0.99), formatHeard(delaysMs.length, said)],
  ];
}

/** Never 100 % where something is missing. */
function formatHeard(heard: number, said: number): string {
  return heard === said ? '100 %' : `${(Math.floor((heard / said) * 1000) / 10).toFixed(1)} %`;
}

function toSeedTable(simulated: readonly Fleet[]): Table {
  const calculated = [500, 5_000].map((tasks) => {
    const requests = tasks * checksPerHour;
    const share = `${((requests / primaryLimit) * 100).toFixed(0)} %`;
    return [String(tasks), 1, tasks, requests, requests, share, '–', '–', '–', '–'];
  });
  return {
    caption:
      "The seed's way: everything at every check; 500 and 5,000 tasks calculated, as if nothing were refused",
    columns,
    rows: [...simulated.map(toRow), ...calculated],
  };
}

function toGoals(fleets: readonly Fleet[]): readonly Goal[] {
  const find = (tasks: number, repositories: number, way: Fleet['way']): Fleet => {
    const found = fleets.find(
      (one) => one.tasks === tasks && one.repositories === repositories && one.way === way,
    );
    if (found === undefined) throw new Error(`${tasks} tasks over ${repositories} were not simulated.`);
    return found;
  };
  const p99 = ({ delaysMs }: Fleet) => findPercentile(delaysMs, 0.99) / 1000;
  const large = find(5_000, 50, 'polling');
  const rung = find(5_000, 50, 'webhooks');
  const recall = Math.min(...fleets.map(({ delaysMs, said }) => delaysMs.length / said));
  return [
    {
      name: '500 tasks, one repository, polling',
      measured: find(500, 1, 'polling').requests,
      atMost: 360,
      unit: 'requests',
    },
    {
      name: '5,000 tasks over 50, polling: counted',
      measured: large.counted,
      atMost: 5_000,
      unit: 'requests',
    },
    { name: '5,000 tasks over 50, polling: p99', measured: p99(large), atMost: 120, unit: 's' },
    {
      name: '5,000 tasks over 50, webhooks: counted',
      measured: rung.counted,
      atMost: 5_000,
      unit: 'requests',
    },
    { name: '5,000 tasks over 50, webhooks: p99', measured: p99(rung), atMost: 2, unit: 's' },
    {
      name: '500 tasks over 50, webhooks: p99',
      measured: p99(find(500, 50, 'webhooks')),
      atMost: 2,
      unit: 's',
    },
    { name: 'heard, every fleet', measured: recall * 100, atLeast: 100, unit: '%' },
  ];
}
