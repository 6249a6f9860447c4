import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plantVariable, requirePlaces, type SourceChange } from './plant.ts';

/** A test that has to fail with what is planted. */
export interface FailingTest {
  /** File, from the root of the repository. */
  readonly path: string;
  /** Its name, or a part of that. */
  readonly name: string;
  /** File of the suite that the name stands in. Default: the file itself. */
  readonly suite?: string;
}

/** What became of a test: `none` where no test has that name, or its file does not load. */
type TestEnd = 'failed' | 'passed' | 'none';

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Finds the name of a test in its file, or in that of its suite. @throws where it is not there */
export async function requireTest({ path, name, suite = path }: FailingTest): Promise<void> {
  if (!(await readFile(join(root, suite), 'utf8')).includes(name))
    throw new Error(`No test in ${suite} is named "${name}".`);
}

/** Runs one test with these changes in the sources that it loads, and in the programs that it starts. */
async function playTest({ path, name }: FailingTest, changes: readonly SourceChange[]): Promise<TestEnd> {
  const pattern = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const directory = await mkdtemp(join(tmpdir(), 'agent-planted-test-'));
  const report = join(directory, 'report.json');
  const flags = ['-t', pattern, '--reporter=json', `--outputFile=${report}`];
  try {
    const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', path, ...flags], {
      cwd: root,
      env: { ...process.env, TEST_FULL: '1', [plantVariable]: JSON.stringify(changes) },
      stdio: 'ignore',
    });
    await once(child, 'close');
    return readEnd(await readFile(report, 'utf8').catch(() => '{"testResults":[]}'));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function readEnd(report: string): TestEnd {
  const { testResults } = JSON.parse(report) as Report;
  const ends = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  if (ends.includes('failed')) return 'failed';
  return ends.includes('passed') ? 'passed' : 'none';
}

/** Plays the test of each plant, and prints what became of it. @returns the number of those that did not fail */
export async function playTests(
  plants: readonly {
    readonly name: string;
    readonly changes: readonly SourceChange[];
    readonly test: FailingTest;
  }[],
): Promise<number> {
  let passed = 0;
  for (const { name, changes, test } of plants) {
    await requirePlaces(changes);
    const end = await playTest(test, changes);
    if (end !== 'failed') passed += 1;
    console.log(
      `${end === 'failed' ? 'fails' : `FAILS NOT (${end})`} ${name}: ${test.path} · "${test.name}"`,
    );
  }
  return passed;
}
