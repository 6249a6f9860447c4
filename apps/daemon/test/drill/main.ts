import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '@agent/simulators/postgres';
import { bundleDaemon } from '../support/bundle-daemon.ts';
import { openDrillBed } from './drill-bed.ts';
import { judgeEnd } from './judge-end.ts';
import { type PlayedStep, playStep } from './play-step.ts';
import { type DrillStep, steps } from './steps.ts';

const help = `npm run drill -- [--only STEP]

Runs a poller and two workers, real processes on a real PostgreSQL, with a simulated GitHub and a scripted model. Each step does some
harm, then asks status --json, and /readyz, /metrics and /health of each process, until all name the same cause, start and remedy. Then
it repairs the harm and waits until no view names a problem. At the end each task must be completed exactly once.

Steps: ${steps.map(({ name }) => name).join(', ')}`;

const { values } = parseArgs({
  options: { only: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});

async function drill(only: string | null): Promise<number> {
  const chosen = steps.filter(({ name }) => only === null || name === only);
  if (chosen.length === 0) {
    console.error(`There is no step ${only}.\n\n${help}`);
    return 1;
  }
  const begun = performance.now();
  const bundle = await bundleDaemon();
  const server = await startPostgres({ settings: { max_connections: '300' } });
  try {
    const bed = await openDrillBed(server.url);
    try {
      const played: PlayedStep[] = [];
      for (const step of chosen) {
        const one = await playStep(bed, step).catch((error: Error) => toBroken(step, error));
        played.push(one);
        console.log(formatStep(one));
      }
      const { tasks, wrong } = await judgeEnd(bed);
      console.log(formatTable(played));
      console.log(`${tasks} tasks, each completed once: ${wrong.length === 0 ? 'yes' : 'no'}`);
      for (const text of wrong) console.log(`  ${text}`);
      const failed = played.filter((one) => one.wrong.length > 0).length;
      const seconds = Math.round((performance.now() - begun) / 1_000);
      console.log(`${played.length} steps, ${failed} wrong (${seconds} s)`);
      const directory = join('.reports', 'drill');
      await mkdir(directory, { recursive: true });
      for (const { name, outputs } of bed.cluster.processes)
        await writeFile(join(directory, `${name}.log`), outputs());
      console.log(`The logs of the processes are in ${directory}.`);
      return failed + wrong.length === 0 ? 0 : 1;
    } finally {
      await bed.close();
    }
  } finally {
    await server.remove();
    await bundle.remove();
  }
}

const toSeconds = (ms: number | null): string => (ms === null ? 'never' : `${(ms / 1_000).toFixed(1)} s`);

/** A step that could not be played. */
const toBroken = ({ name, cause }: DrillStep, { message }: Error): PlayedStep => ({
  ...{ name, cause, views: 0, agreedMs: null, clearMs: null },
  wrong: [`it could not be played: ${message}`],
});

function formatStep({ name, cause, views, agreedMs, clearMs, wrong }: PlayedStep): string {
  const result = wrong.length === 0 ? 'ok   ' : 'WRONG';
  const line = `${result} ${name}: ${views} views named ${cause} after ${toSeconds(agreedMs)}, and no problem ${toSeconds(clearMs)} after the repair`;
  return [line, ...wrong.map((text) => `      ${text}`)].join('\n');
}

function formatTable(played: readonly PlayedStep[]): string {
  const rows = [
    ['step', 'cause', 'views', 'all views agree after', 'clear after the repair', 'result'],
    ...played.map(({ name, cause, views, agreedMs, clearMs, wrong }) => [
      ...[name, cause, String(views), toSeconds(agreedMs), toSeconds(clearMs)],
      wrong.length === 0 ? 'ok' : 'wrong',
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

if (values.help === true) console.log(help);
else process.exit(await drill(values.only ?? null));
