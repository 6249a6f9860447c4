import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { preparePackages, toAbsoluteLinks } from './prepare-packages.ts';
import { checkReleaseIdentity } from './release-identity.ts';
import { renameScope } from './rename-scope.ts';

const repository = 'https://github.com/acme/agent';

describe('toAbsoluteLinks', () => {
  const absolute = (markdown: string) => toAbsoluteLinks(markdown, { repository, folder: 'packages/text' });

  it.each([
    ['[guide](../../docs/guide.md)', `[guide](${repository}/blob/main/docs/guide.md)`],
    [
      '[own](src/index.ts) and [b](b.md)',
      `[own](${repository}/blob/main/packages/text/src/index.ts) and [b](${repository}/blob/main/packages/text/b.md)`,
    ],
    ['[part](../../docs/guide.md#part)', `[part](${repository}/blob/main/docs/guide.md#part)`],
    ['![picture](../../docs/a.svg)', `![picture](${repository}/raw/main/docs/a.svg)`],
    [
      '[`@agent/text`](../text/README.md)',
      `[\`@agent/text\`](${repository}/blob/main/packages/text/README.md)`,
    ],
    ['[site](https://example.com/a)', '[site](https://example.com/a)'],
    ['[below](#below)', '[below](#below)'],
    ['[mail](mailto:a@example.com)', '[mail](mailto:a@example.com)'],
    ['`[code](a.md)` [text](a.md)', `\`[code](a.md)\` [text](${repository}/blob/main/packages/text/a.md)`],
    [
      '```ts\n[code](a.md)\n```\n[text](a.md)',
      `\`\`\`ts\n[code](a.md)\n\`\`\`\n[text](${repository}/blob/main/packages/text/a.md)`,
    ],
  ])('turns %j into %j', (markdown, expected) => {
    expect(absolute(markdown)).toBe(expected);
  });
});

describe('checkReleaseIdentity', () => {
  it.each([
    [{ scope: 'agent', repository }, 'scope must be'],
    [{ scope: '@Agent/', repository }, 'scope must be'],
    [{ scope: '@agent', repository: null }, 'repository is not set'],
    [{ scope: '@agent', repository: 'http://github.com/acme/agent' }, 'repository must be'],
    [{ scope: '@agent', repository: `${repository}/` }, 'repository must be'],
  ])('refuses %j with one line', (identity, message) => {
    expect(() => checkReleaseIdentity(identity)).toThrow(message);
    expect(() => checkReleaseIdentity(identity)).not.toThrow('\n');
  });

  it('takes a scope and the address of a repository', () => {
    expect(checkReleaseIdentity({ scope: '@agent', repository })).toEqual({ scope: '@agent', repository });
  });
});

describe('a checkout that is prepared for a release', () => {
  it('has its scope and its repository in each package', () => {
    const root = mkdtempSync(join(tmpdir(), 'prepared-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    mkdirSync(join(root, 'packages/text'), { recursive: true });
    mkdirSync(join(root, 'apps'));
    const manifest = { name: '@agent/text', dependencies: { '@agent/other': 'workspace:*' } };
    writeFileSync(join(root, 'packages/text/package.json'), JSON.stringify(manifest));
    writeFileSync(join(root, 'packages/text/README.md'), '[a](a.md) of @agent/text\n');
    execFileSync('git', ['-C', root, 'init', '--quiet']);
    execFileSync('git', ['-C', root, 'add', '.']);
    renameScope(root, '@second');
    preparePackages(root, { scope: '@second', repository });
    expect(JSON.parse(readFileSync(join(root, 'packages/text/package.json'), 'utf8'))).toEqual({
      name: '@second/text',
      dependencies: { '@second/other': 'workspace:*' },
      repository: { type: 'git', url: `git+${repository}.git`, directory: 'packages/text' },
      homepage: `${repository}/tree/main/packages/text#readme`,
      bugs: `${repository}/issues`,
    });
    expect(readFileSync(join(root, 'packages/text/README.md'), 'utf8')).toBe(
      `[a](${repository}/blob/main/packages/text/a.md) of @second/text\n`,
    );
  });
});
