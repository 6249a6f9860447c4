import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import configuration from '../../.dependency-cruiser.mjs';
import { cruiseImports, type Violation } from './cruise-imports.ts';
import { formatViolation } from './format-violation.ts';

/** One import that breaks a rule: the importing file, its text, and what it must not import. */
type Plant = readonly [rule: string, file: string, text: string, target: string];

const plants: readonly Plant[] = [
  [
    'apps-do-not-import-each-other',
    'apps/daemon/src/plant.ts',
    "import type { A } from '@agent/discord';",
    'apps/discord',
  ],
  [
    'packages-do-not-import-apps',
    'packages/runner/src/plant-app.ts',
    "import { a } from '@agent/discord';",
    'apps/discord',
  ],
  [
    'orchestrator-does-not-import-page',
    'packages/orchestrator/src/plant.ts',
    "import { a } from '@agent/page';",
    'packages/page',
  ],
  [
    'folders-of-orchestrator-do-not-import-its-root',
    'packages/orchestrator/src/run/plant.ts',
    "import type { A } from '../good.ts';",
    'packages/orchestrator/src/good.ts',
  ],
  [
    'page-imports-text-and-types-of-orchestrator',
    'packages/page/src/plant.ts',
    "import type { A } from '@agent/runner';",
    'packages/runner',
  ],
  [
    'page-imports-only-types-of-orchestrator',
    'packages/page/src/plant-value.ts',
    "import { a } from '@agent/orchestrator';",
    'packages/orchestrator',
  ],
  [
    'libraries-do-not-import-orchestrator-or-page',
    'packages/workspace/src/plant.ts',
    "import type { A } from '@agent/orchestrator';",
    'packages/orchestrator',
  ],
  [
    'libraries-do-not-import-each-other',
    'packages/workspace/src/plant-library.ts',
    "export type { A } from '@agent/runner';",
    'packages/runner',
  ],
  [
    'libraries-import-only-the-root-of-platforms',
    'packages/runner/src/plant-adapter.ts',
    "import type { A } from '@agent/platforms/github';",
    'packages/platforms/src/github',
  ],
  [
    'libraries-import-only-types-of-platforms',
    'packages/runner/src/plant-value.ts',
    "export const load = () => import('@agent/platforms');",
    'packages/platforms',
  ],
  [
    'platforms-imports-text-alone',
    'packages/platforms/src/github/plant.ts',
    "import { a } from '@agent/runner';",
    'packages/runner',
  ],
  [
    'root-of-platforms-imports-nothing',
    'packages/platforms/src/plant.ts',
    "import type { A } from './github/index.ts';",
    'packages/platforms/src/github',
  ],
  [
    'text-imports-no-package',
    'packages/text/src/plant.ts',
    "import type { A } from '@agent/platforms';",
    'packages/platforms',
  ],
  [
    'published-code-does-not-import-simulators-trials-or-examples',
    'packages/runner/src/plant-simulator.ts',
    "import { a } from '@agent/simulators';",
    'packages/simulators',
  ],
  [
    'simulators-import-no-package',
    'packages/simulators/src/plant.ts',
    "import { a } from '@agent/text';",
    'packages/text',
  ],
  [
    'other-packages-are-imported-by-name',
    'packages/runner/src/plant.test.ts',
    "import { a } from '../../text/src/index.ts';",
    'packages/text',
  ],
  [
    'sources-do-not-import-tests',
    'packages/text/src/plant-test.ts',
    "import { a } from '../test/tool.ts';",
    'packages/text/test/tool.ts',
  ],
  [
    'one-place-opens-the-storage',
    'packages/orchestrator/src/plant-storage.ts',
    "export const load = () => import('@agent/run-store/file');",
    'packages/run-store/src/file',
  ],
  [
    'imports-are-found',
    'packages/text/src/plant-lost.ts',
    "import type { A } from './renamed.ts';",
    './renamed.ts',
  ],
  [
    'no-file-cycles',
    'packages/text/src/circle/one.ts',
    "import type { B } from './two.ts';",
    'packages/text/src/circle/two.ts',
  ],
  [
    'no-file-cycles',
    'packages/text/src/circle/two.ts',
    "import { A } from './one.ts';",
    'packages/text/src/circle/one.ts',
  ],
  [
    'no-folder-cycles',
    'packages/text/src/first/a.ts',
    "import type { B } from '../second/b.ts';",
    'packages/text/src/second',
  ],
  [
    'no-folder-cycles',
    'packages/text/src/second/c.ts',
    "import { d } from '../first/d.ts';",
    'packages/text/src/first',
  ],
];

const allowed: Readonly<Record<string, string>> = {
  'apps/daemon/src/good.ts':
    "import { a } from '@agent/orchestrator';\nimport { b } from '@agent/platforms/github';",
  'packages/orchestrator/src/good.ts':
    "import { a } from '@agent/runner';\nimport { b } from '@agent/platforms';",
  'packages/orchestrator/src/host/open-storage.ts':
    "export const load = () => import('@agent/run-store/file');",
  'packages/page/src/good.ts':
    "import { a } from '@agent/text';\nimport type { A } from '@agent/orchestrator';",
  'packages/runner/src/good.ts':
    "import { a } from '@agent/text';\nimport type { A } from '@agent/platforms';",
  'packages/runner/src/good.test.ts':
    "import { a } from '@agent/simulators';\nimport { b } from '@agent/runner';",
  'bench/src/good.ts': "import { a } from '@agent/runner';\nimport { b } from '@agent/simulators';",
};

const members = [
  ...[
    'comment-detection',
    'orchestrator',
    'page',
    'platforms',
    'run-store',
    'runner',
    'simulators',
    'text',
    'workspace',
  ].map((name) => `packages/${name}`),
  ...['daemon', 'discord', 'mcp'].map((name) => `apps/${name}`),
];
const empty = [
  'packages/platforms/src/github/index.ts',
  'packages/run-store/src/file/index.ts',
  'packages/text/src/first/d.ts',
  'packages/text/src/second/b.ts',
  'packages/text/test/tool.ts',
];

describe('.dependency-cruiser.mjs', () => {
  const root = mkdtempSync(join(tmpdir(), 'imports-'));
  let violations: readonly Violation[] = [];

  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };

  beforeAll(async () => {
    write('package.json', '{}');
    mkdirSync(join(root, 'node_modules', '@agent'), { recursive: true });
    for (const member of members) {
      const name = member.split('/').at(-1) ?? '';
      const exports = {
        '.': './src/index.ts',
        './github': './src/github/index.ts',
        './file': './src/file/index.ts',
      };
      write(`${member}/package.json`, JSON.stringify({ name: `@agent/${name}`, exports }));
      write(`${member}/src/index.ts`, 'export const a = 1;');
      symlinkSync(join(root, member), join(root, 'node_modules', '@agent', name));
    }
    for (const path of empty) write(path, 'export const a = 1;');
    for (const [path, text] of Object.entries(allowed)) write(path, text);
    for (const [, path, text] of plants) write(path, text);
    violations = await cruiseImports(root);
  });

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it.each(plants)('refuses an import by the rule %s', (rule, file, _, target) => {
    const found = violations.find(
      (violation) =>
        violation.rule === rule &&
        (violation.from === file || file.startsWith(`${violation.from}/`)) &&
        violation.to.startsWith(target),
    );
    expect(found).toBeDefined();
  });

  it('has a plant for each rule', () => {
    const rules = configuration.forbidden.map(({ name }) => name);
    expect([...new Set(plants.map(([rule]) => rule))].sort()).toEqual(rules.sort());
  });

  it('allows what the order of the packages allows', () => {
    expect(violations.filter(({ from }) => from in allowed)).toEqual([]);
  });

  it('refuses the planted imports once each', () => {
    expect(violations.map(({ rule, from }) => `${rule} ${from}`).sort()).toEqual(
      plants.map(([rule, file]) => `${rule} ${rule === 'no-folder-cycles' ? dirname(file) : file}`).sort(),
    );
  });

  it('names the files of a cycle of folders, the way back and the advice', () => {
    const cycle = violations.find(({ from }) => from === 'packages/text/src/first');
    expect(cycle && formatViolation(cycle)).toMatchInlineSnapshot(`
      "no-folder-cycles: packages/text/src/first → packages/text/src/second
          imported by packages/text/src/first/a.ts → packages/text/src/second/b.ts
          the way back: packages/text/src/second → packages/text/src/first
          Move the file or the type to the folder it belongs to, or join folders that separate nothing."
    `);
  });
});
