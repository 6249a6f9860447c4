import { describe, expect, it } from 'vitest';
import { onSimulator } from '../../test/fixtures/simulator-fixture.ts';
import { contractWorld } from '../testing/index.ts';

const { repository } = contractWorld;
const headBranch = 'agent/issue-1-keep-it';
const draft = { headBranch, baseBranch: 'main', title: 'Keep it', body: 'Closes #1' };

describe("GitHub's change requests", () => {
  it('opens one draft although the answer to its creation is lost [X15]', () =>
    onSimulator(async ({ simulator, platform, people, key }) => {
      await people.pushBranch(headBranch);
      simulator.fail({ method: 'POST', path: '/pulls', kind: 'reset-after-effect' });
      const opened = await platform.openThread(key).changeRequests?.ensureDraft(draft);
      const pulls = simulator.threads(repository).filter(({ pullRequest }) => pullRequest !== null);
      expect(pulls.map(({ number }) => number)).toEqual([opened?.number]);
    }));

  it('takes the pull request that somebody else opened a moment earlier', () =>
    onSimulator(async ({ simulator, connect, people, key }) => {
      await people.pushBranch(headBranch);
      let raced = false;
      const racing: typeof fetch = async (input, init) => {
        if (init?.method === 'POST' && !raced) {
          raced = true;
          await connect().openThread(key).changeRequests?.ensureDraft(draft);
        }
        return fetch(input, init);
      };
      const opened = await connect({ fetch: racing }).openThread(key).changeRequests?.ensureDraft(draft);
      const pulls = simulator.threads(repository).filter(({ pullRequest }) => pullRequest !== null);
      expect(pulls.map(({ number }) => number)).toEqual([opened?.number]);
    }));

  it('opens an ordinary pull request where the plan has no drafts', () =>
    onSimulator(async ({ connect, people, key }) => {
      await people.pushBranch(headBranch);
      const withoutDrafts: typeof fetch = async (input, init) => {
        if (!String(init?.body).includes('"draft":true')) return fetch(input, init);
        const message = 'Draft pull requests are not supported in this repository.';
        return Response.json({ message: 'Validation Failed', errors: [{ message }] }, { status: 422 });
      };
      const { changeRequests } = connect({ fetch: withoutDrafts }).openThread(key);
      expect(await changeRequests?.ensureDraft(draft)).toMatchObject({ draft: false, state: 'open' });
    }));

  it('asks GitHub to change nothing when nothing changed', () =>
    onSimulator(async ({ simulator, platform, people, key }) => {
      await people.pushBranch(headBranch);
      const { changeRequests } = platform.openThread(key);
      await changeRequests?.ensureDraft(draft);
      const asked = simulator.requests.length;
      await changeRequests?.ensureDraft(draft);
      expect(simulator.requests.slice(asked).map(({ method }) => method)).toEqual(['GET']);
    }));

  it('says what GitHub says about a branch without commits of its own', () =>
    onSimulator(async ({ platform, key }) => {
      const opening = platform.openThread(key).changeRequests?.ensureDraft({ ...draft, headBranch: 'main' });
      await expect(opening).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining(`open a pull request from main into main in ${repository}`),
      });
    }));
});
