import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { playTests, readCount, TrialError, type TrialOptions } from '@agent/simulators/trials';
import { type AnyTrialKind, kinds, loadKind } from './harness/kinds.ts';
import { playBug, playBugs } from './harness/play-bugs.ts';
import { openReport } from './harness/report.ts';
import { runTrials } from './harness/run-trials.ts';

const width = Math.max(...Object.keys(kinds).map((name) => name.length));
const usage = `npm run trial -- KIND [N] [--seed S] [--parallel P] [options of the kind]

Plays N trials of a kind; for money, N is the number of runs, and ten of them share a trial. Everything about a trial follows from its seed: S, S + 1, and so on (default: random).
A trial with findings prints the command that repeats it, and its trace is written to .reports/trials/KIND/SEED.log;
report.json beside it has all results. Exit code 1 if there are findings, 3 if this machine cannot play any of the trials.

${Object.entries(kinds)
  .map(([name, { title }]) => `  ${name.padEnd(width)}  ${title}`)
  .join('\n')}

  KIND --help               options of the kind, and its seeded bugs
  KIND --plants [--bug B]   seeds one bug after the other into our sources; fails if a bug is not found
  KIND --plant-tests        runs the test that each seeded bug has to fail`;

const common = {
  seed: { type: 'string' },
  parallel: { type: 'string' },
  plants: { type: 'boolean' },
  'plant-tests': { type: 'boolean' },
  bug: { type: 'string' },
  planted: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

// Programs that trials start compile their modules once.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'agent-trial-compile-cache');
process.exit(await main(process.argv.slice(2)));

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || kinds[name] === undefined) {
    const isAsked = name === '--help' || name === '-h';
    if (!isAsked && name !== undefined) console.error(`There is no kind of trial "${name}".\n`);
    (isAsked ? console.log : console.error)(usage);
    return isAsked ? 0 : 2;
  }
  const kind = await loadKind(name);
  try {
    return await runCommand({ name, kind }, args);
  } catch (error) {
    if (error instanceof TrialError && error.code === 'not_shown') {
      console.log(`NOT SHOWN HERE: ${error.message}`);
      return 3;
    }
    if (!isUsageError(error)) throw error;
    console.error(`${error.message}\n\n${formatHelp(name, kind)}`);
    return 2;
  }
}

interface Named {
  readonly name: string;
  readonly kind: AnyTrialKind;
}

async function runCommand({ name, kind }: Named, args: readonly string[]): Promise<number> {
  const own = Object.fromEntries((kind.options ?? []).map((option) => [option, { type: 'string' as const }]));
  const { values, positionals } = parseArgs({
    ...{ args: [...args], allowPositionals: true },
    options: { ...own, ...common },
  });
  const { seed, parallel, bug } = values;
  if (values.help === true) {
    console.log(formatHelp(name, kind));
    return 0;
  }
  if (values.planted !== undefined) return (await playBug(kind, values.planted)) ? 0 : 1;
  if (values['plant-tests'] === true)
    return Math.min(
      await playTests(kind.bugs.flatMap(({ test, ...one }) => (test ? [{ ...one, test }] : []))),
      1,
    );
  if (values.plants === true) {
    const options = { names: bug?.split(','), parallel: readCount(parallel ?? '2', '--parallel') };
    return Math.min(await playBugs({ name, kind }, options), 1);
  }
  const options = Object.fromEntries(
    (kind.options ?? []).map((option) => [option, (values as TrialOptions)[option]]),
  );
  return playSeeds({ name, kind }, options, {
    units: readCount(positionals[0] ?? `${kind.defaults.units}`, 'N'),
    seed: readCount(seed ?? `${Math.floor(Math.random() * 1_000_000)}`, '--seed', { least: 0 }),
    parallel: readCount(parallel ?? `${kind.defaults.parallel}`, '--parallel'),
  });
}

interface Order {
  readonly units: number;
  readonly seed: number;
  readonly parallel: number;
}

async function playSeeds(
  { name, kind }: Named,
  options: TrialOptions,
  { units, seed, parallel }: Order,
): Promise<number> {
  const { unit = 'trials' } = kind;
  const unitsPerTrial = kind.unitsPerTrial?.(options) ?? 1;
  const count = Math.ceil(units / unitsPerTrial);
  const given = Object.entries(options).flatMap(([option, value]) =>
    value === undefined ? [] : [`--${option} ${value} `],
  );
  const repeat = `${unitsPerTrial} ${given.join('')}`;
  const open = await kind.open(options, { hasBug: false });
  try {
    console.log(`${count * unitsPerTrial} ${unit} from seed ${seed}, ${parallel} trials at once`);
    const report = await openReport({ kind: name, unit, repeat, print: console.log });
    const seeds = Array.from({ length: count }, (_, index) => seed + index);
    const played = await runTrials(open, { seeds, parallel, onPlayed: report.add });
    const findings = kind.judgeAll?.(played.map(({ verdict }) => verdict)) ?? [];
    const failed = await report.finish(played, { units: count * unitsPerTrial, findings });
    const isShown = played.some(({ verdict: { missing } }) => typeof missing !== 'string');
    return failed > 0 ? 1 : isShown ? 0 : 3;
  } finally {
    await open.close();
  }
}

function formatHelp(name: string, { help, bugs }: AnyTrialKind): string {
  return `npm run trial -- ${name} [N] ${help}\n\nSeeded bugs: ${bugs.map((bug) => bug.name).join(', ') || 'none'}`;
}

/** True for a mistake on the command line, whose message says what to write. */
function isUsageError(error: unknown): error is Error {
  if (error instanceof TrialError) return error.code === 'usage';
  return error instanceof Error && (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true;
}
