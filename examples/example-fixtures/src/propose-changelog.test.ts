import { execFileSync } from 'node:child_process';
import type { GitHubSimulator } from '@agent/simulators/github';
import { test as base } from '@agent/simulators/vitest';
import { expect } from 'vitest';
import { proposeChangelog } from './propose-changelog.ts';

/** The fixture `github` with a shop in it, and the program pointed at it. */
const test = base.extend<{
  readonly shop: { readonly run: () => Promise<number>; readonly waits: readonly number[] };
}>({
  shop: async ({ github }, use) => {
    github.addUser({ login: 'alice' });
    github.addToken({ token: 'alices', login: 'alice' });
    await github.addRepository({ owner: 'alice', name: 'shop' });
    for (const title of ['The sum is wrong', 'The tax is wrong']) {
      const { number } = github.openIssue({ repo: 'alice/shop', author: 'alice', title });
      github.closeThread('alice/shop', number);
    }
    const waits: number[] = [];
    const place = { apiUrl: github.url, webUrl: github.url, owner: 'alice', repo: 'shop' };
    const sleep = async (milliseconds: number) => waits.push(milliseconds);
    await use({ run: () => proposeChangelog({ ...place, token: 'alices', sleep }), waits });
  },
});

function changelogOf(github: GitHubSimulator): string {
  const args = ['--git-dir', github.gitDirectory('alice/shop'), 'show', 'changelog:CHANGELOG.md'];
  return execFileSync('git', args, { encoding: 'utf8' });
}

const changelog = '# Changelog\n\n- The tax is wrong (#2)\n- The sum is wrong (#1)\n';

test('proposes what was closed, on a branch that git pushed', async ({ github, shop }) => {
  const number = await shop.run();
  expect(github.thread('alice/shop', number)).toMatchObject({
    title: 'Changelog',
    pullRequest: { head: 'changelog', base: 'main' },
  });
  expect(changelogOf(github)).toBe(changelog);
  expect(shop.waits).toEqual([]);
});

test('retries after a proxy without its server, half an answer and a limit', async ({ github, shop }) => {
  const path = '/issues?';
  github.fail({ kind: 'bad-gateway-html', path });
  github.fail({ kind: 'malformed-json', path });
  github.fail({ kind: 'secondary-limit', path, retryAfterSeconds: 7 });
  await shop.run();
  expect(changelogOf(github)).toBe(changelog);
  expect(shop.waits).toEqual([200, 400, 7_000]);
});

test('makes no second pull request when the answer to the first was lost', async ({ github, shop }) => {
  github.fail({ kind: 'reset-after-effect', method: 'POST', path: '/pulls' });
  const number = await shop.run();
  expect(github.threads('alice/shop').filter(({ pullRequest }) => pullRequest !== null)).toHaveLength(1);
  expect(await shop.run()).toBe(number);
});

test('gives up where it has no permission', async ({ github, shop }) => {
  github.revokeToken('alices');
  await expect(shop.run()).rejects.toMatchObject({ status: 401 });
});
