import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Bench, Report } from '../report.ts';
import type { PlaceSize } from './fill-place.ts';
import type { WatchFigures } from './measure-watch.ts';

const size: PlaceSize = { running: 500, paused: 3_500, ended: 100_000 };
const waiting = 1_000;

/** Place that is filled and watched in a process of its own. */
export interface PageQuestion {
  readonly place: 'files' | 'PostgreSQL';
  readonly size: PlaceSize;
  readonly waiting: number;
}

/** Runs as they look from outside: the board's first page with many tasks, and the time until a change is told. */
export const pageBench: Bench = {
  name: 'page',
  fromSources: true,
  run: async ({ onProgress }) => {
    const figures: [PageQuestion['place'], WatchFigures][] = [];
    for (const place of ['files', 'PostgreSQL'] as const) {
      onProgress(`filling and watching ${place}`);
      figures.push([place, await ask({ place, size, waiting })]);
    }
    return toReport(figures);
  },
};

function ask(question: PageQuestion): Promise<WatchFigures> {
  const entry = fileURLToPath(new URL('./page-process.ts', import.meta.url));
  const child = fork(entry, { execArgv: ['--conditions=@agent/source'] });
  child.send(question);
  return new Promise((resolve, reject) => {
    child.once('message', ({ figures, error }: { figures?: WatchFigures; error?: string }) =>
      figures === undefined ? reject(new Error(error)) : resolve(figures),
    );
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The process that watches ended with ${code}.`)));
  });
}

const round = (value: number) => Math.round(value * 10) / 10;

function toReport(places: readonly (readonly [string, WatchFigures])[]): Report {
  const live = size.running + size.paused + waiting;
  return {
    title: `The board with ${live} tasks and ${size.ended} runs that ended`,
    tables: [
      {
        caption: 'Milliseconds, the slowest of 20; memory after a collection',
        columns: [
          '',
          'first answer',
          'all loaded',
          'first page',
          'nobody listens',
          'search',
          'change',
          'heap MB',
        ],
        rows: places.map(([name, figures]) => [
          name,
          ...[figures.cold, figures.loaded, figures.firstPage, figures.lonePage].map(round),
          ...[figures.search, figures.change, figures.heapMb].map(round),
        ]),
      },
    ],
    goals: places.flatMap(([name, { firstPage, lonePage, change }]) => [
      { name: `first page, ${name}`, measured: round(firstPage), atMost: 100, unit: 'ms' },
      {
        name: `first page while nobody listens, ${name}`,
        measured: round(lonePage),
        atMost: 100,
        unit: 'ms',
      },
      { name: `a change is told, ${name}`, measured: round(change), atMost: 1_000, unit: 'ms' },
    ]),
    notes: [
      'The first answer is that of a process which knows nothing yet: a daemon reads the runs two seconds after its start, before anybody looks. "All loaded" is the reading of the runs that ended, in the background.',
      'While nobody listens, a page that was read within the last five seconds is shown at once, and each looks for changes behind it.',
      'The change is written by another opening of the place, and told to a listener in the same process as the figures.',
    ],
  };
}
