import type { TestReport } from '../check/tally-tests.ts';
import { parseNamedIds } from './named-ids.ts';
import type { Requirement } from './parse-requirements.ts';

/** A test that names a requirement. */
export interface NamingTest {
  readonly file: string;
  readonly name: string;
  readonly status: string;
}

/** A requirement with the tests that name it. */
export interface Covered {
  readonly requirement: Requirement;
  readonly tests: readonly NamingTest[];
}

/** Which tests name which id, in a test's own name or in that of a describe block around it. */
export function collectNamingTests(report: TestReport): ReadonlyMap<string, readonly NamingTest[]> {
  const byId = new Map<string, NamingTest[]>();
  for (const { name: file, storage, assertionResults } of report.testResults) {
    const where = storage === undefined ? '' : ` (on ${storage})`;
    for (const { ancestorTitles, title, status } of assertionResults) {
      const titles = [...ancestorTitles, title];
      const test = { file, name: `${titles.join(' › ')}${where}`, status };
      for (const id of new Set(titles.flatMap(parseNamedIds))) byId.set(id, [...(byId.get(id) ?? []), test]);
    }
  }
  return byId;
}

/** Joins the document with the tests. */
export function coverRequirements(
  requirements: readonly Requirement[],
  namingTests: ReadonlyMap<string, readonly NamingTest[]>,
): readonly Covered[] {
  return requirements.map((requirement) => ({ requirement, tests: namingTests.get(requirement.id) ?? [] }));
}

/** Whether it holds as far as tests say: at least one passed, and none that names it failed. */
export function isShown({ tests }: Covered): boolean {
  return tests.some(({ status }) => status === 'passed') && tests.every(({ status }) => status !== 'failed');
}

/** Whether only tests name it that the run left to `npm run test:full`, which leaves none. */
export function isLeft({ tests }: Covered): boolean {
  return tests.length > 0 && tests.every(({ status }) => status === 'skipped');
}

/** Behaviours that no passing test shows, and none that was left to `npm run test:full`. Other kinds are not shown by tests. */
export function findUnshown(covered: readonly Covered[]): readonly Covered[] {
  return covered.filter(
    (entry) => entry.requirement.kind === 'behaviour' && !isShown(entry) && !isLeft(entry),
  );
}

/** Ids that tests name and the document doesn't have: a slip of the pen that would hide a gap. */
export function findUnknownIds(
  requirements: readonly Requirement[],
  namingTests: ReadonlyMap<string, readonly NamingTest[]>,
): readonly { readonly id: string; readonly tests: readonly NamingTest[] }[] {
  const known = new Set(requirements.map(({ id }) => id));
  return [...namingTests].filter(([id]) => !known.has(id)).map(([id, tests]) => ({ id, tests }));
}
