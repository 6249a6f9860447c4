import { describe, expect, it } from 'vitest';
import { findAmbientEffects } from './ambient-effects.ts';
import { findConfigurationTypes } from './configuration-types.ts';
import { findUndocumentedExports } from './docstrings.ts';
import { findHeavyApps, findLongFiles } from './file-length.ts';
import { findFolderOrderProblems } from './folder-order.ts';
import { findMainThreadCleaning } from './foreign-texts.ts';
import { findIndexProblems } from './index-files.ts';
import { findReminders, findSkippedTests } from './leftovers.ts';
import { findManifestProblems } from './manifests.ts';
import { findMissingFiles } from './package-files.ts';
import { findWritesBesideOutbox } from './platform-writes.ts';
import type { Rule } from './source-tree.ts';

/** What the rule says about a tree of samples, by path. */
function problemsOf(rule: Rule, sample: Readonly<Record<string, string>>): readonly string[] {
  return rule(new Map(Object.entries(sample))).map(({ path }) => path);
}

const targets = { types: './dist/index.d.ts', default: './dist/index.js' };
const goodManifest = {
  name: '@agent/a',
  license: 'Apache-2.0',
  type: 'module',
  engines: { node: '>=22.12' },
  files: ['dist', 'README.md', 'LICENSE'],
  exports: { '.': { '@agent/source': './src/index.ts', ...targets } },
  publishConfig: { main: targets.default, types: targets.types, exports: { '.': targets } },
  dependencies: { zod: 'catalog:published' },
};

describe('findLongFiles', () => {
  it('counts lines, and allows tests more of them', () => {
    const long = 'const a = 1;\n'.repeat(301);
    const sample = { 'packages/a/src/a.ts': long, 'packages/a/src/a.test.ts': long, 'scripts/b.mjs': long };
    expect(problemsOf(findLongFiles, sample)).toEqual(['packages/a/src/a.ts', 'scripts/b.mjs']);
    expect(problemsOf(findLongFiles, { 'packages/a/src/a.test.ts': long + long })).toHaveLength(1);
    expect(problemsOf(findLongFiles, { 'packages/a/src/a.ts': 'const a = 1;\n'.repeat(300) })).toEqual([]);
  });
});

describe('findHeavyApps', () => {
  it('counts the lines of an app without its tests and texts, and nothing else', () => {
    const lines = 'const a = 1;\n'.repeat(2_750);
    const sample = { 'apps/discord/src/a.ts': lines, 'apps/discord/src/b.ts': lines };
    const others = {
      'apps/discord/src/a.test.ts': lines,
      'apps/discord/src/texts.ja.ts': lines,
      'apps/discord/test/c.ts': lines,
    };
    expect(problemsOf(findHeavyApps, { ...sample, ...others, 'packages/a/src/a.ts': lines })).toEqual([]);
    const more = { ...sample, 'apps/discord/src/c.ts': 'const a = 1;\n' };
    expect(problemsOf(findHeavyApps, more)).toEqual(['apps/discord']);
  });
});

describe('findMainThreadCleaning', () => {
  it('finds services that clean texts where everything else waits, and lets names be', () => {
    const cleaning = "import { cleanUntrustedText } from '@agent/text';\n";
    const sample = {
      'apps/daemon/src/a.ts': cleaning,
      'apps/daemon/src/a.test.ts': cleaning,
      'apps/daemon/src/text/clean-name.ts': cleaning,
      'packages/a/src/a.ts': cleaning,
    };
    expect(problemsOf(findMainThreadCleaning, sample)).toEqual(['apps/daemon/src/a.ts']);
  });
});

describe('findWritesBesideOutbox', () => {
  it('finds what writes on a platform outside of an entry, whatever is built in or read', () => {
    const at = (name: string) => `packages/orchestrator/src/${name}.ts`;
    const sample = {
      [at('comment')]: 'await run.thread.ports.writer.ensureComment({ topic, body });',
      [at('edit')]: 'await ownComments.edit(comment);',
      [at('trigger')]: 'await platform.trigger.setState(ports, next);',
      [at('intent')]: 'await doIntent(run, { intent, perform: async () => writer.ensureComment(comment) });',
      [at('named')]: 'const perform = () => checks.rerun(check);',
      [at('other')]: 'Object.assign(one, other); map.constructor(); files.remove(path); ownComments.list();',
      'packages/platforms/src/a.ts': 'await writer.ensureComment(comment);',
    };
    const found = problemsOf(findWritesBesideOutbox, sample).filter((path) => /:\d+$/.test(path));
    expect(found).toEqual([at('comment'), at('edit'), at('trigger')].map((path) => `${path}:1`));
  });
});

describe('findConfigurationTypes', () => {
  it('finds parts that take the whole configuration; the wiring, tests and functions may have it', () => {
    const whole = "import { type LoadedConfig, loadConfig } from '../config/load-config.ts';\n";
    const sample = {
      'apps/daemon/src/http/a.ts': whole,
      'apps/daemon/src/http/b.ts': "import type { Config } from '../config/schema.ts';\n",
      'apps/daemon/src/http/c.ts': "import { loadConfig } from '../config/load-config.ts';\n",
      'apps/daemon/src/http/a.test.ts': whole,
      'apps/daemon/src/config/a.ts': "import type { Config } from './schema.ts';\n",
      'apps/daemon/src/start-daemon.ts': whole,
    };
    expect(problemsOf(findConfigurationTypes, sample)).toEqual([
      'apps/daemon/src/http/a.ts',
      'apps/daemon/src/http/b.ts',
    ]);
  });
});

describe('findFolderOrderProblems', () => {
  const list = (...items: readonly string[]) =>
    `# A\n\n## Folders of \`src/\`, each importing only those above it\n\n${items.map((item) => `- ${item}\n`).join('')}\n## Errors\n- \`no/\`\n`;
  const sample = {
    'packages/a/src/index.ts': "export type { D } from './high/d.ts';",
    'packages/a/src/low/a.ts': '',
    'packages/a/src/low/b.ts': "import type { D } from '../high/d.ts';",
    'packages/a/src/low/b.test.ts': "import { d } from '../high/d.ts';",
    'packages/a/src/high/d.ts': "import { a } from '../low/a.ts';\nimport '../index.ts';",
  };

  it('finds an import of a folder that is listed further down, types included', () => {
    const good = {
      ...sample,
      'packages/a/README.md': list('`low/`: at the `high/` end', '`high/` (on `low/`)'),
    };
    expect(problemsOf(findFolderOrderProblems, good)).toEqual(['packages/a/src/low/b.ts']);
    const turned = { ...sample, 'packages/a/README.md': list('`high/`, `low/`') };
    expect(problemsOf(findFolderOrderProblems, turned)).toEqual(['packages/a/src/high/d.ts']);
  });

  it('finds folders that the list leaves out, and those that are gone', () => {
    const readme = 'packages/a/README.md';
    const other = new Map(Object.entries({ ...sample, [readme]: list('`high/`', '`old/`') }));
    expect(findFolderOrderProblems(other)).toEqual([
      { path: readme, message: 'list the folder low/ below those it imports' },
      { path: readme, message: 'there is no folder old/' },
    ]);
  });

  it('leaves packages without such a list alone', () => {
    expect(problemsOf(findFolderOrderProblems, { ...sample, 'packages/a/README.md': '# A' })).toEqual([]);
  });
});

describe('findIndexProblems', () => {
  it.each([
    ['a star', "export * from './a.ts';"],
    ['a named star', "export * as a from './a.ts';"],
    ['a declaration', 'export const a = 1;'],
    ['an import', "import './a.ts';"],
    ['a statement', "console.log('hello');"],
    ['a default export', 'export default {};'],
    ['111 lines', "export { a } from './a.ts';\n".repeat(111)],
  ])('refuses %s', (_, text) => {
    expect(problemsOf(findIndexProblems, { 'packages/a/src/index.ts': text })).toHaveLength(1);
  });

  it('accepts names, types among them', () => {
    const text = "export { a, type B } from './a.ts';\nexport type { C } from './c.ts';\n";
    expect(problemsOf(findIndexProblems, { 'packages/a/src/index.ts': text })).toEqual([]);
  });
});

describe('findMissingFiles', () => {
  it('wants a README with something in it and a licence', () => {
    const sample = { 'apps/a/package.json': '{}', 'apps/a/README.md': ' \n' };
    expect(problemsOf(findMissingFiles, sample)).toEqual(['apps/a/README.md', 'apps/a/LICENSE']);
  });
});

describe('findManifestProblems', () => {
  const problemsWith = (change: object, parent = 'packages'): readonly string[] =>
    findManifestProblems(
      new Map([
        [`${parent}/a/package.json`, JSON.stringify({ ...goodManifest, ...change })],
        [`${parent}/a/src/index.ts`, ''],
      ]),
    ).map(({ message }) => message);

  it('accepts a good one', () => {
    expect(problemsWith({})).toEqual([]);
  });

  it.each([
    ['another licence', { license: 'MIT' }],
    ['CommonJS', { type: 'commonjs' }],
    ['another Node', { engines: { node: '>=20' } }],
    ['no licence file', { files: ['dist', 'README.md'] }],
    ['a version of its own', { dependencies: { zod: 'catalog:' } }],
    ['no entry for old resolvers', { publishConfig: { exports: goodManifest.publishConfig.exports } }],
    ['another package', { devDependencies: { '@agent/b': 'workspace:^' } }],
    [
      'a published source condition',
      { publishConfig: { ...goodManifest.publishConfig, exports: goodManifest.exports } },
    ],
  ])('refuses %s', (_, change) => {
    expect(problemsWith(change)).toHaveLength(1);
  });

  it('refuses sources that come last or do not exist', () => {
    const exports = { '.': { ...targets, '@agent/source': './src/other.ts' } };
    expect(problemsWith({ exports })).toHaveLength(2);
  });

  it('lets the simulators stand beside, for tests', () => {
    const simulators = { '@agent/simulators': 'workspace:^' };
    expect(problemsWith({ devDependencies: simulators })).toEqual([]);
    expect(problemsWith({ dependencies: simulators })).toHaveLength(1);
    expect(problemsWith({ peerDependencies: simulators })).toHaveLength(1);
  });

  it('has the simulators offer sources to this repository alone, beside what is published', () => {
    const own = { exports: { ...goodManifest.exports, './trials': './src/trials/index.ts' } };
    const problemsIn = (folder: string) =>
      findManifestProblems(
        new Map([
          [`${folder}/package.json`, JSON.stringify({ ...goodManifest, ...own })],
          [`${folder}/src/index.ts`, ''],
        ]),
      );
    expect(problemsIn('packages/simulators')).toEqual([]);
    expect(problemsIn('packages/a')).not.toEqual([]);
  });

  it('lets apps depend on packages', () => {
    const node = { engines: { node: '>=22.18' } };
    expect(problemsWith({ ...node, dependencies: { '@agent/b': 'workspace:^' } }, 'apps')).toEqual([]);
  });
});

describe('findUndocumentedExports', () => {
  it('follows the index to the declaration', () => {
    const sample = {
      'packages/a/src/index.ts': "export { a, type B } from './a.ts';",
      'packages/a/src/a.ts':
        '/** Does it. */\nexport function a() {}\n// Not this.\nexport interface B {}\nexport const c = 1;',
    };
    expect(problemsOf(findUndocumentedExports, sample)).toEqual(['packages/a/src/a.ts:4']);
    const moved = Object.fromEntries(
      Object.entries(sample).map(([path, text]) => [path.replace('packages/a', 'packages/simulators'), text]),
    );
    expect(problemsOf(findUndocumentedExports, moved)).toEqual(['packages/simulators/src/a.ts:4']);
  });

  it('takes a sentence above for one, with a line for the linter between, and none further down', () => {
    const index = { 'packages/a/src/index.ts': "export { a, b } from './a.ts';" };
    const text = 'export const a = 1;\n/** Does it. */\n// biome-ignore x: y\nexport const b = 2;';
    expect(problemsOf(findUndocumentedExports, { ...index, 'packages/a/src/a.ts': text })).toEqual([
      'packages/a/src/a.ts:1',
    ]);
  });
});

describe('findAmbientEffects', () => {
  it.each([
    'Date.now()',
    'new Date()',
    'Math.random()',
    'randomUUID()',
    'crypto.randomUUID()',
    'setTimeout(f, 1)',
    'fetch(url)',
  ])('refuses %s in the middle of the code', (call) => {
    expect(
      problemsOf(findAmbientEffects, { 'packages/a/src/a.ts': `const f = () => { ${call}; };` }),
    ).toHaveLength(1);
  });

  it('accepts them as defaults, and dates that are given', () => {
    const text = 'function f({ now = () => Date.now() } = {}, at = new Date()) { return new Date(now()); }';
    expect(problemsOf(findAmbientEffects, { 'packages/a/src/a.ts': text })).toEqual([]);
  });

  it('lets test tools and apps keep time', () => {
    const sample = { 'packages/a/src/testing/a.ts': 'Date.now();', 'apps/a/src/main.ts': 'Date.now();' };
    expect(problemsOf(findAmbientEffects, sample)).toEqual([]);
  });
});

describe('findReminders and findSkippedTests', () => {
  it('refuse reminders in comments, whatever strings say', () => {
    const reminder = ['TO', 'DO'].join('');
    const text = `const a = '${reminder}';\n// ${reminder}: later\n`;
    expect(problemsOf(findReminders, { 'packages/a/src/a.ts': text })).toEqual(['packages/a/src/a.ts:2']);
  });

  it.each(["it.skip('a', () => {});", "describe.only('a', () => {});", "test.todo('a');"])(
    'refuse %s',
    (text) => {
      expect(problemsOf(findSkippedTests, { 'packages/a/src/a.test.ts': text })).toHaveLength(1);
    },
  );
});
