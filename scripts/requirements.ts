// `npm run requirements`: which requirement is shown by which tests, from the results of the last test run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { forwardSignals } from './bootstrap/processes.mjs';
import { readTestReports, runTests } from './check/run-tests.ts';
import type { TestReport } from './check/tally-tests.ts';
import {
  collectNamingTests,
  coverRequirements,
  findUnknownIds,
  findUnshown,
} from './requirements/coverage.ts';
import { formatReport } from './requirements/format-report.ts';
import { withFullTests } from './requirements/full-tests.ts';
import { parseOptions, type RequirementsOptions, usage } from './requirements/options.ts';
import { parseRequirements } from './requirements/parse-requirements.ts';
import { selectRequirements } from './requirements/select.ts';
import { repositoryRoot } from './workspace/root.ts';

forwardSignals();
try {
  process.exitCode = await main(parseOptions(process.argv.slice(2)));
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  process.exitCode = 2;
}

async function main({ selection, isStrict, runsTests, isHelp }: RequirementsOptions): Promise<number> {
  if (isHelp) {
    console.log(usage);
    return 0;
  }
  const requirements = parseRequirements(
    readFileSync(join(repositoryRoot, 'docs', 'requirements.md'), 'utf8'),
  );
  const selected = selectRequirements(requirements, selection);
  const namingTests = collectNamingTests(withFullTests(await obtainReport(runsTests)));
  const covered = coverRequirements(selected, namingTests);
  const unshown = findUnshown(covered);
  const unknown = findUnknownIds(requirements, namingTests);
  console.log(formatReport(covered));
  if (unshown.length > 0)
    console.log(`\nNot shown: ${unshown.map(({ requirement }) => requirement.id).join(', ')}`);
  for (const { id, tests } of unknown) {
    console.error(
      `error: docs/requirements.md has no ${id}, which is named by: ${tests.map(({ name }) => name).join('; ')}`,
    );
  }
  return unknown.length > 0 || (isStrict && unshown.length > 0) ? 1 : 0;
}

async function obtainReport(runsTests: boolean): Promise<TestReport> {
  const known = runsTests ? null : readTestReports();
  if (known !== null) {
    console.error(`From the tests of ${known.endedAt.toLocaleString('sv')}; --run runs them anew.`);
    return known;
  }
  if (!runsTests)
    console.error(
      'There are no results of a test run yet (.reports/vitest.json), so all tests are run first. `npm test` writes that file, too.',
    );
  await runTests('all', { full: false });
  const report = readTestReports();
  if (report === null) throw new Error('the tests left no results; see their output above');
  return report;
}
