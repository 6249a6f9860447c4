import type { Bench, Report } from '../report.ts';
import { findPercentile } from '../statistics.ts';
import { type Answers, measureAnswers } from './measure-answers.ts';
import { type FloodFigures, measureFlood } from './measure-flood.ts';

/** As many characters as GitHub takes in a comment. */
const chars = 65_536;

/** Texts that once took a cleaner hours, and others that make it work. */
const hostile: readonly string[] = [
  `a \`b\` c\n${'\t'.repeat(chars / 2 - 10)}-${'\t'.repeat(chars / 2 - 10)}:`,
  '<!-'.repeat(chars / 3),
  '['.repeat(chars),
  '`\n'.repeat(chars / 2),
  '~~~\u2028'.repeat(chars / 4),
  `\u001b]0;`.repeat(chars / 4),
];

const cases = [
  { name: 'a thread without comments', comments: [] },
  { name: '60 comments of 64 KB', comments: repeat(10) },
  { name: '300 comments of 64 KB', comments: repeat(50) },
] as const;

function repeat(times: number): readonly string[] {
  return Array.from({ length: times }, () => hostile).flat();
}

/** Whether the daemon answers and stays small, whatever strangers send. */
export const readyBench: Bench = {
  name: 'ready',
  run: async ({ onProgress }) => {
    const measured: (readonly [string, Answers])[] = [];
    for (const { name, comments } of cases) {
      onProgress(`answers during a run on ${name}`);
      measured.push([name, await measureAnswers({ comments })]);
    }
    onProgress('bodies and connections of strangers');
    return toReadyReport(measured, await measureFlood());
  },
};

function toReadyReport(measured: readonly (readonly [string, Answers])[], flood: FloodFigures): Report {
  const rows = measured.flatMap(([name, answers]) =>
    Object.entries(answers).map(([path, times]) => [
      `${name}, ${path}`,
      times.length,
      ...[0.5, 0.99, 1].map((share) => findPercentile(times, share).toFixed(1)),
    ]),
  );
  const slowest = Math.max(...measured.flatMap(([, answers]) => Object.values(answers).flat()));
  const statuses = Object.entries(flood.statuses).map(([status, count]) => `${status}: ${count}`);
  return {
    title: 'ready: what strangers can do to the process',
    tables: [
      {
        caption: 'Milliseconds until an answer, while a run on the thread begins, works and ends',
        columns: ['run on', 'asked', 'p50', 'p99', 'max'],
        rows,
      },
      {
        caption: '60 unsigned webhook bodies of 4 MiB at once, then slow connections',
        columns: ['RSS before, MB', 'RSS at most, MB', 'answers', 'connections', 'all closed after, s'],
        rows: [
          [
            flood.beforeMb.toFixed(1),
            flood.peakMb.toFixed(1),
            statuses.join(', '),
            flood.connections,
            flood.slowSeconds.toFixed(1),
          ],
        ],
      },
    ],
    goals: [
      { name: 'slowest answer', measured: Math.round(slowest), atMost: 100, unit: 'ms' },
      { name: 'RSS under webhook bodies', measured: Math.round(flood.peakMb), atMost: 400, unit: 'MB' },
    ],
    notes: [
      'A thread of its own asks for both addresses in turn, a millisecond after the last answer.',
      'RSS is sampled every 10 ms.',
    ],
  };
}
