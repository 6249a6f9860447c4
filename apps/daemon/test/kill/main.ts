import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { playTests } from '@agent/simulators/plants';
import { bundleDaemon } from '../support/bundle-daemon.ts';
import { readCount } from '../support/read-count.ts';
import { targetedTrials } from './faults/scenarios-by-name.ts';
import { plants } from './plants/plants.ts';
import { runPlantNamed } from './plants/run-plant.ts';
import { runPlants } from './plants/run-plants.ts';
import { formatSummary, formatTrial, type NamedTrial } from './summary.ts';
import { findClass, type TrialClass, trialClasses } from './trial-classes.ts';

const help = `npm run test:kill -- [trials | plants | tests] [--only class] [--seed n] [--parallel n] [--planted name]

Runs that many trials (default 20), one class of harm after the other, and looks at what the daemon leaves.
Everything about a trial follows from its class and its seed; a failure names what repeats it alone:
  npm run test:kill -- 1 --only net --seed 4711
--only takes names with commas between them. A class: ${trialClasses.map(({ name }) => name).join(', ')}, discord;
A targeted course: ${[...new Set(targetedTrials.map(({ targeted }) => targeted.name))].join(', ')}.
"tests" runs the test that each of these faults has to fail, and fails where it passes.
"plants" plants one fault after the other in daemon and bot and plays what shows it; it fails where the checker finds nothing. --planted plays one of them: ${plants.map(({ name }) => name).join(', ')};
for the bot those of apps/discord/test/kill/plants.ts, which alone are played with --only discord
--only discord --harm rival plays one way to harm the bot: kill, stop, net, netkill, gateway, rival, freeze
--only discord --messages 500 mixes them over one long talk`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    harm: { type: 'string' },
    messages: { type: 'string' },
    parallel: { type: 'string' },
    only: { type: 'string' },
    planted: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});

// A cache of the programs under test, which would else lie where they leave what is theirs for a while.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'agent-kill-compile-cache');
// What carried out commands for the trials would keep this process.
if (values.help === true) console.log(help);
else process.exit(await main());

async function main(): Promise<number> {
  const { planted } = values;
  if (planted?.startsWith('bot-')) return runDiscord(['--planted', planted]);
  if (planted !== undefined) return runPlantNamed(planted);
  const isBotAlone = values.only === 'discord';
  if (positionals[0] === 'plants') {
    const parallel = readCount(values.parallel ?? '2', '--parallel');
    const lost = isBotAlone ? 0 : await runPlants({ parallel });
    return Math.max(Math.min(lost, 1), await runDiscord(['plants']));
  }
  if (positionals[0] === 'tests') {
    const passed = isBotAlone ? 0 : await playTests(plants);
    return Math.max(Math.min(passed, 1), await runDiscord(['tests']));
  }
  const wanted = readCount(positionals[0] ?? '20', 'trials', { least: 0 });
  const seed = readCount(values.seed ?? String(Math.floor(Math.random() * 1_000_000)), '--seed', {
    least: 0,
  });
  const parallel = readCount(values.parallel ?? '3', '--parallel');
  const optionsOf = (count: number) => [`${count}`, '--seed', `${seed}`, '--parallel', `${parallel}`];
  const harm = values.harm === undefined ? [] : ['--harm', values.harm];
  const messages = values.messages === undefined ? [] : ['--messages', values.messages];
  if (isBotAlone) return runDiscord([...optionsOf(wanted), ...harm, ...messages]);
  const chosen =
    values.only === undefined ? trialClasses : values.only.split(',').map((name) => requireClass(name));
  console.log(`${wanted} trials from seed ${seed}, ${parallel} at a time`);
  const bundle = await bundleDaemon();
  try {
    const trials = await runAll(chosen, { wanted, seed, parallel });
    console.log(formatSummary(trials));
    const failed = trials.some(({ verdict }) => verdict.broken.length > 0) ? 1 : 0;
    // The bot is an application of its own, and has trials of its own.
    const share = values.only === undefined ? Math.floor(wanted / (chosen.length + 1)) : 0;
    if (share === 0) return failed;
    return Math.max(failed, await runDiscord(optionsOf(share)));
  } finally {
    await bundle.remove();
  }
}

interface Order {
  readonly wanted: number;
  readonly seed: number;
  readonly parallel: number;
}

/** Trials of the bot, in a process of their own. @returns its exit code */
async function runDiscord(options: readonly string[]): Promise<number> {
  const program = fileURLToPath(new URL('../../../discord/test/kill/main.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@agent/source', program, ...options], {
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}

async function runAll(
  classes: readonly TrialClass[],
  { wanted, seed, parallel }: Order,
): Promise<readonly NamedTrial[]> {
  const trials: NamedTrial[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < wanted) {
      const own = next;
      next += 1;
      const one = classes[own % classes.length] as TrialClass;
      const trial = await runOne(one, seed + Math.floor(own / classes.length));
      trials.push(trial);
      console.log(formatTrial(trial));
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return trials;
}

async function runOne({ name, run }: TrialClass, seed: number): Promise<NamedTrial> {
  const startedAt = Date.now();
  const verdict = await run(seed).catch((error: unknown) => ({
    told: 'the trial itself failed',
    broken: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
    output: '',
  }));
  return { name, seed, verdict, durationMs: Date.now() - startedAt };
}

function requireClass(name: string): TrialClass {
  const found = findClass(name);
  if (found === null) throw new Error(`there is no class and no course "${name}"; see --help`);
  return found;
}
