import { describe, expect, it } from 'vitest';
import { onSimulator } from '../../test/fixtures/simulator-fixture.ts';
import { changeRequestsTrouble, draft, headBranch } from '../../test/suites/change-requests-trouble.ts';
import { gitHubWorld } from '../../test/suites/worlds.ts';
import { contractWorld } from '../testing/index.ts';
import { toChangeRequest } from './github-answers.ts';

const { repository } = contractWorld;
const end = { ref: 'main', sha: 'a', repo: { id: 1, full_name: repository } };

describe("GitHub's change requests", () => {
  changeRequestsTrouble(gitHubWorld);

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

  it('says whether it conflicts with its base, and that this is not known yet [NX-231]', () =>
    onSimulator(async ({ platform, people, simulator }) => {
      const key = await people.openPullRequest({ author: 'alice', title: 'Change', headBranch });
      const read = async () => (await platform.openThread(key).reader.readThread()).changeRequest?.conflicts;
      expect(await read()).toBe(false);
      for (const branch of ['main', headBranch])
        await simulator.push({ repo: repository, branch, author: 'octo', files: { 'clash.txt': branch } });
      expect(await read()).toBe(true);
      const shown = { number: 2, html_url: '', state: 'open', title: '', head: end, base: end };
      expect(toChangeRequest({ ...shown, mergeable: null }).conflicts).toBeNull();
      expect(toChangeRequest(shown)).not.toHaveProperty('conflicts');
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
