import type { Goal, Report, Table } from '../report.ts';
import { findMedian, findPercentile } from '../statistics.ts';
import type { LatencyFigures } from './measure-latency.ts';
import type { ThroughputFigure } from './measure-throughput.ts';

/** What the two measurements found. */
export interface WebhooksFigures {
  readonly throughput: readonly ThroughputFigure[];
  readonly latency: LatencyFigures;
}

/** The work that the goal is about. */
const whole = 'verify, parse, ring';

/** Tables, goals and what the figures include. */
export function toWebhooksReport(figures: WebhooksFigures): Report {
  const { throughput, latency } = figures;
  return {
    title: 'webhooks: how many a core takes, and how soon the model knows',
    tables: [toThroughputTable(throughput), toLatencyTable(latency)],
    goals: toGoals(figures),
    notes: [
      'Events a second are those of a second of processor time (user and system, all threads), so that a busy machine',
      'is in them only as far as it slows the processor down. Bodies are the smallest and the largest recorded issue_comment.',
      'The goal is held against the fastest round, which whoever shares the machine has slowed down least.',
      '"HMAC alone" and "JSON.parse alone" are the least that anybody can do; the bell has 500 listeners.',
      'Arrival: from before the webhook is posted to the request to the model that holds the comment, over HTTP, with',
      "the rest of the step in it: the model's answer, a tool, the journal on the disk, the look at GitHub.",
      'Each event comes when the second between two looks is over; one that comes earlier waits for it.',
      `Comments that were not in the very next request to the model: ${latency.late}.`,
    ],
  };
}

function toThroughputTable(throughput: readonly ThroughputFigure[]): Table {
  const rows = throughput.map(({ bytes, work, perSecond }) => [
    work,
    bytes,
    Math.round(findMedian(perSecond)),
    Math.round(Math.min(...perSecond)),
    Math.round(Math.max(...perSecond)),
  ]);
  const columns = ['work', 'bytes', 'events a second, median', 'lowest round', 'highest round'];
  return { caption: 'One core', columns, rows };
}

function toLatencyTable({ arrival, answer, quietStep }: LatencyFigures): Table {
  const row = (name: string, values: readonly number[]) => [
    name,
    values.length,
    findMedian(values),
    findPercentile(values, 0.99),
    Math.max(...values),
  ];
  return {
    caption: 'Milliseconds',
    columns: ['what', 'events', 'p50', 'p99', 'longest'],
    rows: [
      row('a webhook until it is answered', answer),
      row('a webhook until its comment is in a request to the model', arrival),
      row('a step in which nothing is said', quietStep),
    ],
  };
}

function toGoals({ throughput, latency }: WebhooksFigures): readonly Goal[] {
  const [smallest] = throughput.filter(({ work }) => work === whole);
  return [
    {
      name: `events a second on one core, ${smallest?.bytes ?? 0} bytes, the fastest round`,
      measured: Math.round(Math.max(...(smallest?.perSecond ?? [0]))),
      atLeast: 20_000,
      unit: 'events',
    },
    {
      name: 'arrival to the request to the model, p99',
      measured: findPercentile(latency.arrival, 0.99),
      atMost: 50,
      unit: 'ms',
    },
    { name: 'comments that missed the next request', measured: latency.late, atMost: 0, unit: 'comments' },
  ];
}
