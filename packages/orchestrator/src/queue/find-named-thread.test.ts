import { formatTaskKey } from '@agent/platforms';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { describe, expect, it } from 'vitest';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { findNamedThread } from './find-named-thread.ts';

const branchPrefix = 'agent';

/** Two platforms in memory, each of which takes tasks from one repository. The second has the name of GitHub, which has no merge requests. */
function openPlatforms() {
  const repositories = [{ path: 'octo/hello' }, { path: 'octo/other' }];
  const [first, second] = ['one.example.com', 'two.example.com'].map((host) =>
    createMemoryPlatform({ host, repositories }),
  );
  if (first === undefined || second === undefined) throw new Error('two platforms were made');
  for (const { people } of [first, second]) {
    people.openIssue({ author: 'alice', title: 'Hello' });
    people.openIssue({ author: 'alice', title: 'Other', repository: 'octo/other' });
    people.openPullRequest({ author: 'agent', title: 'Fix', headBranch: 'agent/issue-1-hello' });
  }
  const platforms = [
    { platform: first, takesFrom: (path: string) => path === 'octo/other' },
    { platform: { ...second, name: 'github' }, takesFrom: (path: string) => path === 'octo/hello' },
  ] as unknown as readonly ConfiguredPlatform[];
  const find = async (text: string) => {
    const { platform, key, tasks } = await findNamedThread(text, { platforms, branchPrefix });
    return [platform.platform.host, formatTaskKey(key), tasks.map(({ taskKeyText }) => taskKeyText)];
  };
  return { find };
}

describe('findNamedThread', () => {
  it('finds a thread by its address, and by its repository', async () => {
    const { find } = openPlatforms();
    const issue = 'github_issue:octo:hello:1';
    const found = ['two.example.com', issue, [issue]];
    expect(await find('https://two.example.com/octo/hello/issues/1')).toEqual(found);
    expect(await find('octo/hello#1')).toEqual(found);
    expect((await find('octo/other#1'))[0]).toBe('one.example.com');
  });

  it('finds the issue that a request of the agent belongs to', async () => {
    const { find } = openPlatforms();
    const request = 'github_pull_request:octo:hello:2';
    expect(await find('octo/hello#2')).toEqual([
      'two.example.com',
      request,
      [request, 'github_issue:octo:hello:1'],
    ]);
  });

  it.each([
    ['hello', 'names no issue, pull request or merge request'],
    ['https://three.example.com/octo/hello/issues/1', 'is not a host of the configured platforms'],
    ['https://one.example.com/octo/hello/issues/1', 'is not in a repository of this configuration'],
    ['octo/hello!1', 'GitHub has no octo/hello!1. Write octo/hello#1'],
    ['octo/unknown!1', 'octo/unknown is not a repository of this configuration'],
    ['octo/unknown#1', 'octo/unknown is not a repository of this configuration'],
    ['octo/hello#99', 'no thread number 99'],
    ['github_issue:octo:hello:1', 'Several configured platforms'],
    ['gitlab_issue:7:1', 'No configured platform has threads with the key'],
    ['custom:tracker:project:7', 'No configured platform has threads with the key'],
  ])('refuses %s: %s', async (text, why) => {
    await expect(openPlatforms().find(text)).rejects.toThrow(why);
  });

  it('leaves out user and password of an address in its message', async () => {
    const { find } = openPlatforms();
    await expect(find('http://alice:se@cret@one.example.com/octo')).rejects.toThrow(
      '"http://one.example.com/octo" names no issue',
    );
  });
});
