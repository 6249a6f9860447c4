import { describe, expect, it } from 'vitest';
import { onSimulator } from '../../test/fixtures/simulator-fixture.ts';
import type { RepositoryReader } from '../ports.ts';
import { contractWorld } from '../testing/index.ts';

function present(reader: RepositoryReader | null): RepositoryReader {
  if (reader === null) throw new Error('GitHub has repositories');
  return reader;
}

/** A fetch that changes what a server says of some of its answers. */
function changingJson(
  change: (url: string, json: Record<string, unknown>) => Record<string, unknown>,
): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const json = (await response.json()) as Record<string, unknown>;
    return Response.json(change(String(input), json), { status: response.status });
  };
}

describe("GitHub's repository reader", () => {
  it('a repository without commits has no files, and its files are not found', () =>
    onSimulator(async ({ simulator, connect }) => {
      await simulator.addRepository({ owner: 'octo', name: 'empty', files: null });
      const { number } = simulator.openIssue({ repo: 'octo/empty', author: 'octo', title: 'Start' });
      const key = { type: 'github_issue', owner: 'octo', repo: 'empty', number } as const;
      const thread = connect({ repositories: ['octo/empty'] }).openThread(key);
      const repository = present(thread.repository);
      expect((await repository.describe()).path).toBe('octo/empty');
      expect(await repository.listFiles()).toEqual([]);
      expect(await thread.changeRequests?.listBranches({ prefix: 'agent/' })).toEqual([]);
      await expect(repository.readFile('README.md')).rejects.toMatchObject({ code: 'not-found' });
    }));

  it('walks a tree that is too large for one answer', () =>
    onSimulator(async ({ connect, key }) => {
      const truncating = changingJson((url, json) =>
        url.includes('recursive') ? { ...json, truncated: true, tree: [] } : json,
      );
      const repository = present(connect({ fetch: truncating }).openThread(key).repository);
      expect(await repository.listFiles()).toEqual(Object.keys(contractWorld.files).sort());
    }));

  it('reads a file of more than 1 MB, which GitHub leaves out of its first answer', () =>
    onSimulator(async ({ simulator, connect }) => {
      const text = '0123456789abcdé\n'.repeat(80_000);
      await simulator.addRepository({ owner: 'octo', name: 'large', files: { 'large.txt': text } });
      const { number } = simulator.openIssue({ repo: 'octo/large', author: 'octo', title: 'Read it' });
      const key = { type: 'github_issue', owner: 'octo', repo: 'large', number } as const;
      const repository = present(connect().openThread(key).repository);
      expect(await repository.readFile('large.txt')).toBe(text);
    }));

  it('refuses to read a directory as a file', () =>
    onSimulator(async ({ platform, key }) => {
      await expect(present(platform.openThread(key).repository).readFile('src')).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('not a file'),
      });
    }));

  it('keeps a search inside its repository, whatever the words say', () =>
    onSimulator(async ({ simulator, platform, key }) => {
      await simulator.addRepository({ owner: 'octo', name: 'secret', files: {} });
      simulator.openIssue({ repo: 'octo/secret', author: 'octo', title: 'The kettle plan' });
      const repository = present(platform.openThread(key).repository);
      for (const query of [
        'kettle repo:octo/secret',
        'kettle OR repo:octo/secret',
        'kettle" repo:octo/secret "',
      ]) {
        expect(await repository.searchThreads(query)).toEqual([]);
        const asked = new URL(simulator.requests.at(-1)?.path ?? '', simulator.url).searchParams.get('q');
        expect(asked).toBe('kettle "repo:octo/secret" repo:octo/hello is:pull-request');
      }
    }));
});
