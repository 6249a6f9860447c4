import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TestReport } from '../check/tally-tests.ts';
import { repositoryRoot } from '../workspace/root.ts';
import {
  collectNamingTests,
  coverRequirements,
  findUnknownIds,
  findUnshown,
  isLeft,
  isShown,
} from './coverage.ts';
import { formatReport } from './format-report.ts';
import { listTitles, withFullTests } from './full-tests.ts';
import { parseNamedIds } from './named-ids.ts';
import { parseOptions } from './options.ts';
import { parseRequirements } from './parse-requirements.ts';
import { selectRequirements } from './select.ts';

const document = `# Requirements

| id | kind | requirement |
|---|---|---|
| CC-1 | behaviour | Returns it. |
| CC-2 | behaviour | Counts it. |
| CC-3 | replaced by X1 | Limits it. |
| CD-T1 | behaviour | Test: it. |
| X1 | process | Decided. |
`;

const requirements = parseRequirements(document);

function reportOf(tests: Readonly<Record<string, string>>): TestReport {
  const assertionResults = Object.entries(tests).map(([name, status]) => {
    const titles = name.split(' > ');
    return { ancestorTitles: titles.slice(0, -1), title: titles.at(-1) ?? '', status };
  });
  return {
    numPassedTests: 0,
    numFailedTests: 0,
    testResults: [{ name: 'a.test.ts', status: 'passed', assertionResults }],
  };
}

describe('parseNamedIds', () => {
  it.each([
    ['does it [CC-1]', ['CC-1']],
    ['does it [CC-1] [X14]', ['CC-1', 'X14']],
    ['does it [CC-1, CD-T2][TC-A3]', ['CC-1', 'CD-T2', 'TC-A3']],
    ['does it [CC-1..CC-3]', ['CC-1', 'CC-2', 'CC-3']],
    ['does it [CD-T9..CD-T11, RL-1]', ['CD-T9', 'CD-T10', 'CD-T11', 'RL-1']],
    ['does it [CC-2..4]', ['CC-2', 'CC-3', 'CC-4']],
    ['does it', []],
    ['reads [CC-1] in the middle', []],
    ['returns [] for []', []],
    ['accepts labels [bug, help wanted]', []],
    ['mixes families [CC-1..CD-3]', []],
  ])('reads %j', (name, ids) => {
    expect(parseNamedIds(name)).toEqual(ids);
  });
});

describe('collectNamingTests', () => {
  it('tells tests apart that are run in several places', () => {
    const report = reportOf({ 'a run > ends [CC-1]': 'passed' });
    const there = report.testResults.map((file) => ({ ...file, storage: 'PostgreSQL' }));
    const found = collectNamingTests({ ...report, testResults: [...report.testResults, ...there] });
    expect(found.get('CC-1')?.map(({ name }) => name)).toEqual([
      'a run › ends [CC-1]',
      'a run › ends [CC-1] (on PostgreSQL)',
    ]);
  });
});

describe('parseRequirements', () => {
  it('reads rows of tables', () => {
    expect(requirements.map(({ id }) => id)).toEqual(['CC-1', 'CC-2', 'CC-3', 'CD-T1', 'X1']);
    expect(requirements[2]).toEqual({ id: 'CC-3', kind: 'replaced by X1', text: 'Limits it.' });
  });

  it('refuses an id that stands twice and a kind that does not exist', () => {
    expect(() => parseRequirements(`${document}| CC-1 | behaviour | Again. |`)).toThrow('CC-1 twice');
    expect(() => parseRequirements('| CC-1 | wish | Perhaps. |')).toThrow('this row is not');
  });

  it('reads the document of this repository, whose families have no gaps', () => {
    const ids = parseRequirements(readFileSync(join(repositoryRoot, 'docs', 'requirements.md'), 'utf8')).map(
      ({ id }) => id,
    );
    const expected = {
      'CC-': 18,
      'CD-': 64,
      'CI-': 90,
      'TC-': 59,
      'PP-': 58,
      'RL-': 14,
      'NX-': 430,
      'CD-T': 15,
      'CI-T': 10,
    };
    const others = { 'TC-A': 5, 'TC-T': 14, X: 16, A: 10, B: 21, C: 22, D: 17, E: 21 };
    const all = Object.entries({ ...expected, ...others }).flatMap(([prefix, count]) =>
      Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`),
    );
    expect([...ids].sort()).toEqual(all.sort());
  });
});

describe('selectRequirements', () => {
  const idsOf = (only: readonly string[], except: readonly string[] = []): readonly string[] =>
    selectRequirements(requirements, { only, except }).map(({ id }) => id);

  it('takes families, ids and ranges, and leaves out', () => {
    expect(idsOf([])).toHaveLength(5);
    expect(idsOf(['CC'], ['CC-2'])).toEqual(['CC-1', 'CC-3']);
    expect(idsOf(['CC-2..CC-3', 'X'])).toEqual(['CC-2', 'CC-3', 'X1']);
    expect(idsOf(['CD'])).toEqual(['CD-T1']);
  });

  it('refuses what the document does not have', () => {
    expect(() => idsOf(['CE'])).toThrow('has no CE; its families are CC, CD, X');
    expect(() => idsOf([], ['CC-9'])).toThrow('has no CC-9');
  });
});

describe('coverage', () => {
  it('shows a behaviour by a test that passed, named by itself or by the block around it', () => {
    const naming = collectNamingTests(
      reportOf({ 'it returns [CC-1]': 'passed', 'counting [CC-2] > works': 'passed' }),
    );
    expect(
      findUnshown(coverRequirements(requirements, naming)).map(({ requirement }) => requirement.id),
    ).toEqual(['CD-T1']);
  });

  it('does not take a failing or a skipped test for a proof, and tells what was left to test:full from what nobody shows', () => {
    const naming = collectNamingTests(
      reportOf({ 'a [CC-1]': 'passed', 'b [CC-1]': 'failed', 'c [CC-2]': 'skipped' }),
    );
    const covered = coverRequirements(requirements, naming);
    expect(covered.filter(isShown)).toEqual([]);
    expect(covered.filter(isLeft).map(({ requirement }) => requirement.id)).toEqual(['CC-2']);
    expect(findUnshown(covered).map(({ requirement }) => requirement.id)).toEqual(['CC-1', 'CD-T1']);
  });

  it('knows the tests of files that a run left out by their titles, and none of those that it ran', () => {
    expect(
      listTitles("it('is [CC-1]', x); it(\n  \"isn't [CC-2, X1]\",\n); const a = ['[b]'];").map(
        ({ title }) => title,
      ),
    ).toEqual(['is [CC-1]', "isn't [CC-2, X1]"]);
    const left = withFullTests(reportOf({})).testResults.slice(1);
    const file = left.find(({ name }) => name.endsWith('told-once.property.test.ts'));
    expect(file?.assertionResults.map(({ title }) => title).join()).toContain('[NX-160]');
    expect(withFullTests({ ...reportOf({}), testResults: left }).testResults).toEqual(left);
  });

  it('counts the tests of a file that this machine cannot run as left out', () => {
    const name = 'scripts/pack/other-nodes.test.ts';
    const [file = { status: '', assertionResults: [] }] = reportOf({
      'NOT SHOWN HERE, offline': 'passed',
    }).testResults;
    const [, ...left] = withFullTests({ ...reportOf({}), testResults: [{ ...file, name }] }).testResults;
    const titles = left
      .filter((one) => one.name === name)
      .flatMap(({ assertionResults }) => assertionResults);
    expect(titles).toContainEqual(
      expect.objectContaining({ title: expect.stringContaining('[NX-53]'), status: 'skipped' }),
    );
  });

  it('finds ids that tests invent', () => {
    const naming = collectNamingTests(reportOf({ 'a [CC-1, CC-7]': 'passed' }));
    expect(findUnknownIds(requirements, naming).map(({ id }) => id)).toEqual(['CC-7']);
  });

  it('reads well', () => {
    const naming = collectNamingTests(
      reportOf({ 'returns it [CC-1]': 'passed', 'counts it [CC-2]': 'failed' }),
    );
    expect(formatReport(coverRequirements(requirements, naming))).toMatchInlineSnapshot(`
      "CC-1    shown by 1            Returns it.
              passed: returns it [CC-1] (a.test.ts)
      CC-2    NOT SHOWN (failing)   Counts it.
              failed: counts it [CC-2] (a.test.ts)
      CC-3    replaced by X1        Limits it.
      CD-T1   NOT SHOWN             Test: it.
      X1      process               Decided.

      CC  1 of 2 behaviours shown, 1 of other kinds
      CD  0 of 1 behaviours shown
      X   0 of 0 behaviours shown, 1 of other kinds"
    `);
  });
});

describe('parseOptions', () => {
  it('splits lists and repeats', () => {
    const { selection, isStrict } = parseOptions([
      '--strict',
      '--family',
      'CC, RL-1',
      '--ids=X1',
      '--except',
      'CC-2',
    ]);
    expect(selection).toEqual({ only: ['CC', 'RL-1', 'X1'], except: ['CC-2'] });
    expect(isStrict).toBe(true);
  });

  it('refuses options that do not exist', () => {
    expect(() => parseOptions(['--stict'])).toThrow("'--stict'");
  });
});
