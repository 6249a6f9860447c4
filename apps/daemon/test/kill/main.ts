import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { planTrial } from './choose-moments.ts';
import { scenarios } from './scenarios.ts';
import { formatSummary, type NamedTrial } from './summary.ts';
import { describeDone, measureBaseline, runTrial } from './trial.ts';

const help = `npm run test:kill -- [kills] [--seed n] [--parallel n] [--only words]

Kills the daemon that many times (default 10), with pauses in between, starts it again, and compares what it leaves
with an undisturbed run. The same seed kills at the same moments; a failure names the seed that repeats it alone:
  npm run test:kill -- 1 --seed 4711
With --only, just the scenarios whose name has these words; it goes with the seeds that it was given with.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    parallel: { type: 'string' },
    only: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});

// A cache of the programs under test, which would else lie where they leave what is theirs for a while.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'agent-kill-compile-cache');
if (values.help === true) console.log(help);
else process.exitCode = await main();

async function main(): Promise<number> {
  const wanted = readCount(positionals[0] ?? '10', 'kills');
  const seed = readCount(values.seed ?? String(Math.floor(Math.random() * 1_000_000)), '--seed');
  const parallel = readCount(values.parallel ?? '2', '--parallel');
  const chosen = scenarios.filter(({ name }) => name.includes(values.only ?? ''));
  if (chosen.length === 0) throw new Error(`no scenario's name has "${values.only}"`);
  console.log(`${wanted} kills from seed ${seed}, ${parallel} at a time`);
  // One after the other: where an undisturbed run already fails, there is nothing to compare with.
  for (const scenario of chosen) await measureBaseline(scenario);
  const trials: NamedTrial[] = [];
  let kills = 0;
  let next = seed;
  const work = async (): Promise<void> => {
    // A plan whose moment never came kills nobody; the next seed then takes its place, up to a limit.
    while (kills < wanted && next - seed < wanted * 3) {
      const own = next;
      next += 1;
      const plan = await planTrial(own, chosen);
      const result = await runTrial(plan.scenario, plan.interruptions);
      kills += result.done.filter(({ killedAt }) => killedAt !== null).length;
      trials.push({ seed: own, plan, result });
      console.log(formatTrial({ seed: own, plan, result }));
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  console.log(formatSummary(trials));
  return trials.some(({ result }) => result.failure !== null) ? 1 : 0;
}

function formatTrial({ seed, plan, result }: NamedTrial): string {
  const verdict = result.failure === null ? 'ok  ' : 'FAIL';
  const why = (result.failure ?? '').split('\n--- start ')[0] ?? '';
  return `${verdict} seed ${seed}, ${plan.scenario.name}: ${result.done.map(describeDone).join('; ') || 'the moment did not come'}${why === '' ? '' : `\n  ${why}`}`;
}

function readCount(text: string, name: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw new Error(`${name} must be a whole number, not "${text}"`);
}
