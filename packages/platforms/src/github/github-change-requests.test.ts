import { describe, expect, it } from 'vitest';
import { onSimulator } from '../../test/fixtures/simulator-fixture.ts';
import { changeRequestsTrouble, draft, headBranch } from '../../test/suites/change-requests-trouble.ts';
import { gitHubWorld } from '../../test/suites/worlds.ts';
import { contractWorld } from '../testing/index.ts';

const { repository } = contractWorld;

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

  it('says what GitHub says about a branch without commits of its own', () =>
    onSimulator(async ({ platform, key }) => {
      const opening = platform.openThread(key).changeRequests?.ensureDraft({ ...draft, headBranch: 'main' });
      await expect(opening).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining(`open a pull request from main into main in ${repository}`),
      });
    }));
});
