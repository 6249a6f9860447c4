import type { Report } from '../report.ts';

/** One function and the text that is worst for it. */
export interface FunctionTimes {
  readonly name: string;
  /** Name of the worst text. */
  readonly text: string;
  /** Processor time for 64 KB, milliseconds. */
  readonly shortMs: number;
  /** The same for 1 MB. */
  readonly longMs: number;
}

interface Scope {
  /** How many texts each function was given. */
  readonly texts: number;
  /** How many times as long the longer text is. */
  readonly longer: number;
}

/** What takes less is measured too coarsely to tell how it grows. */
const leastMs = 2;

/** What was measured, in tables. */
export function toTextReport(times: readonly FunctionTimes[], { texts, longer }: Scope): Report {
  const sorted = [...times].sort((one, other) => other.shortMs - one.shortMs);
  const long = times.filter(({ shortMs }) => shortMs >= leastMs);
  const round = (ms: number) => ms.toFixed(1);
  return {
    title: 'text: what strangers write, at its worst',
    tables: [
      {
        caption: `Each function with the worst of ${texts} texts, milliseconds of processor time`,
        columns: ['function', 'worst text', '64 KB', '1 MB', 'growth'],
        rows: sorted.map(({ name, text, shortMs, longMs }) => [
          name,
          text,
          round(shortMs),
          round(longMs),
          shortMs < leastMs ? '–' : `${round(longMs / shortMs)}x`,
        ]),
      },
    ],
    goals: [
      {
        name: '64 KB of the worst',
        measured: Math.max(...times.map(({ shortMs }) => shortMs)),
        atMost: 50,
        unit: 'ms',
      },
      {
        name: `1 MB, ${longer} times as long: growth beyond that`,
        measured: Math.max(0, ...long.map(({ shortMs, longMs }) => longMs / shortMs / longer)),
        atMost: 2,
        unit: 'x',
      },
    ],
    notes: [
      '64 KB: 65,536 UTF-16 units, the longest comment of GitHub; 1 MB: the longest of GitLab. The fastest of three rounds each.',
      'Growth within twice the length is linear but for caches; the test beside the functions (scripts/hostile) fails at three times.',
    ],
  };
}
