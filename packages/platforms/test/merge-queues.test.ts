import { describe, expect, it } from 'vitest';
import { contractWorld } from '../src/testing/index.ts';
import { onGitLab } from './fixtures/gitlab-fixture.ts';
import { onSimulator } from './fixtures/simulator-fixture.ts';

const { repository } = contractWorld;
const pull = { author: 'alice', title: 'change', headBranch: 'change' };

describe('A change request that waits for its merge', () => {
  it('is known on GitHub from its merge queue, until a push takes it out', () =>
    onSimulator(async ({ simulator, platform, people }) => {
      const key = await people.openPullRequest(pull);
      if (key.type !== 'github_pull_request') throw new Error('no pull request');
      const isQueued = () => platform.openReview?.(key)?.isMergeQueued?.();
      expect(await isQueued()).toBe(false);
      simulator.addToMergeQueue(repository, key.number);
      expect(await isQueued()).toBe(true);
      await simulator.push({ repo: repository, branch: 'change', author: 'alice', files: { 'b.txt': 'b' } });
      expect(await isQueued()).toBe(false);
    }));

  it('is not known on a GitHub server without merge queues', () =>
    onSimulator(async ({ connect, people }) => {
      const key = await people.openPullRequest(pull);
      const message = "Field 'isInMergeQueue' doesn't exist on type 'PullRequest'";
      const platform = connect({
        fetch: async (input, init) =>
          String(input).endsWith('/graphql')
            ? Response.json({ errors: [{ type: 'undefinedField', message }] })
            : fetch(input, init),
      });
      expect(await platform.openReview?.(key)?.isMergeQueued?.()).toBe(false);
    }));

  it('is known on GitLab from auto-merge, until a push cancels it', () =>
    onGitLab(async ({ simulator, platform, people }) => {
      const key = await people.openPullRequest(pull);
      const isQueued = async () =>
        (await platform.openThread(key).reader.readThread()).changeRequest?.mergeQueued;
      expect(await isQueued()).toBe(false);
      simulator.setAutoMerge(repository, '!1');
      expect(await isQueued()).toBe(true);
      await simulator.push({
        project: repository,
        branch: 'change',
        author: 'alice',
        files: { 'b.txt': 'b' },
      });
      expect(await isQueued()).toBe(false);
    }));
});
