// `npm test`: every check, one after another, whatever the ones before found. `npm run test:full` (`--full`) also runs the tests
// that need more than every machine has or more time than a change should take, and whole series where `npm test` takes samples.
// The last line is `N passed, N failed`: all tests, and each other check (one per package at the end) as one.
import { forwardSignals, interruptionExitCode } from './bootstrap/processes.mjs';
import { readTestReports } from './check/run-tests.ts';
import { addTallies, type Tally } from './check/stage.ts';
import { listStages } from './check/stages.ts';
import { listFailed, listNotShown } from './check/tally-tests.ts';
import { formatLastRelease, readLastRelease } from './release-test/last-release.ts';

forwardSignals();

const full = process.argv.includes('--full');
const stages = listStages({ full });
const tallies: Tally[] = [];
const failures: string[] = [];
for (const [index, stage] of stages.entries()) {
  console.log(`\n=== ${index + 1}/${stages.length} ${stage.title}`);
  const started = performance.now();
  const tally = await runStage(stage.run);
  const interrupted = interruptionExitCode();
  if (interrupted !== null) process.exit(interrupted);
  tallies.push(tally);
  if (tally.failed > 0) failures.push(stage.title);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`=== ${stage.title}: ${tally.failed === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
}

const report = readTestReports();
for (const title of listNotShown(report)) console.log(title);
if (!full) console.log('Whole series of interruptions and other versions were not tried: npm run test:full.');
console.log(formatLastRelease(readLastRelease()));
const total = addTallies(tallies);
for (const line of listFailed(report)) console.log(`FAILED ${line}`);
console.log(failures.length === 0 ? '\nEverything passed.' : `\nFailed: ${failures.join(', ')}.`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

/** A stage that cannot even be carried out has failed; the ones after it still run. */
async function runStage(run: () => Promise<Tally>): Promise<Tally> {
  try {
    return await run();
  } catch (error) {
    console.error(error);
    return { passed: 0, failed: 1 };
  }
}
