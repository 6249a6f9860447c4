import { toErrorMessage } from '@agent/text';
import { buildDaemon } from './build-daemon.ts';
import { clusterBench } from './cluster/cluster-bench.ts';
import { conversationBench } from './conversation/conversation-bench.ts';
import { fleetBench } from './fleet/fleet-bench.ts';
import { formatReport } from './format-report.ts';
import { journalBench } from './journal/journal-bench.ts';
import { describeMachine } from './machine.ts';
import { memoryBench } from './memory/memory-bench.ts';
import { pageBench } from './page/page-bench.ts';
import { queueBench } from './queue/queue-bench.ts';
import type { Bench } from './report.ts';
import { requestsBench } from './requests/requests-bench.ts';
import { restartBench } from './restart/restart-bench.ts';
import { startBench } from './start/start-bench.ts';

const benches: readonly Bench[] = [
  requestsBench,
  conversationBench,
  startBench,
  restartBench,
  memoryBench,
  journalBench,
  fleetBench,
  queueBench,
  clusterBench,
  pageBench,
];
const [first, ...rest] = process.argv.slice(2);
// Mutants say nothing about speed and take many minutes: no bench among the others.
process.exitCode = await (first === 'mutants' ? runMutants(rest) : runBenches(process.argv.slice(2))).catch(
  explain,
);

async function runMutants(args: readonly string[]): Promise<number> {
  const { runMutantsCommand } = await import('./mutants/mutants-command.ts');
  return runMutantsCommand(args);
}

/** Runs the named benches, or all: 0 when all could be run, whether or not their goals were met. */
async function runBenches(given: readonly string[]): Promise<number> {
  const end = given.findIndex((argument) => argument.startsWith('--'));
  const names = end === -1 ? given : given.slice(0, end);
  const args = end === -1 ? [] : given.slice(end);
  const unknown = names.filter((name) => benches.every((bench) => bench.name !== name));
  if (unknown.length > 0) {
    const known = benches.map(({ name }) => name).join(', ');
    process.stderr.write(`There is no bench ${unknown.join(', ')}; there are ${known}.\n`);
    return 1;
  }
  const chosen = benches.filter(({ name }) => names.length === 0 || names.includes(name));
  if (args.length > 0 && (chosen.length !== 1 || chosen[0]?.takesArguments !== true)) {
    process.stderr.write(
      `Arguments (${args.join(' ')}) are for one bench that takes some, such as conversation.\n`,
    );
    return 1;
  }
  if (chosen.some(({ fromSources }) => fromSources !== true)) {
    report('building the daemon');
    await buildDaemon();
  }
  process.stdout.write(`${describeMachine()}\n\n`);
  let failed = 0;
  for (const bench of chosen) {
    if (!(await runBench(bench, args))) failed += 1;
  }
  return failed === 0 ? 0 : 1;
}

async function runBench({ name, run }: Bench, args: readonly string[]): Promise<boolean> {
  try {
    const found = await run({ onProgress: (message) => report(`${name}: ${message}`), args });
    process.stdout.write(`${formatReport(found)}\n`);
    if (found.failure !== undefined) process.stderr.write(`${found.failure}\n`);
    return found.failure === undefined;
  } catch (error) {
    report(`the bench ${name} could not run`);
    explain(error);
    return false;
  }
}

function explain(error: unknown): 1 {
  process.stderr.write(`${toErrorMessage(error)}\n`);
  return 1;
}

function report(message: string): void {
  process.stderr.write(`… ${message}\n`);
}
