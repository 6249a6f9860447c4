import { createMemoryPlatform } from '@agent/platforms';
import { expect, it } from 'vitest';
import { readRepositoryRules } from './instructions.ts';

import type { RunFacts } from './run-facts.ts';

const clean = async (text: string) => text;

function setUp(kind: RunFacts['kind'], path: string) {
  const files = { 'AGENTS.md': 'Rules of the repository' };
  const platform = createMemoryPlatform({ repositories: [{ path: 'octo/hello', files }] });
  const key = platform.people.openIssue({ author: 'alice', title: 'x' });
  const repository = { path, cloneUrl: 'https://git.example/x.git', branch: 'fix', baseBranch: 'main' };
  const facts = { kind, repository } as unknown as RunFacts;
  const workspace = { readBaseFiles: async () => ['Rules of the copy', null, null] };
  const run = { facts, thread: { ports: platform.openThread(key) } };
  return { platform, ask: () => readRepositoryRules(run, { workspace, clean }), run };
}

it('takes the rules of a request from a fork from the repository that it is for [NX-22]', async () => {
  expect(await setUp('pull request', 'mallory/hello').ask()).toContain('Rules of the repository');
  expect(await setUp('pull request', 'Octo/Hello').ask()).toContain('Rules of the copy');
  expect(await setUp('issue', 'octo/hello').ask()).toContain('Rules of the copy');
});

it('does not take rules that cannot be read for none', async () => {
  const { platform, ask, run } = setUp('pull request', 'mallory/hello');
  platform.failNext({ operation: 'readFile', error: new Error('down') });
  await expect(ask()).rejects.toThrow('down');
  expect(await readRepositoryRules(run, { workspace: null, clean })).toBe('');
});
