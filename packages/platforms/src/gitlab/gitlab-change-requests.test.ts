import { describe, expect, it } from 'vitest';
import { onGitLab } from '../../test/fixtures/gitlab-fixture.ts';
import { contractWorld } from '../testing/index.ts';

const { repository: project } = contractWorld;
const headBranch = 'agent/issue-1-keep-it';
const draft = { headBranch, baseBranch: 'main', title: 'Keep it', body: 'Closes #1' };

describe("GitLab's change requests", () => {
  it('opens one draft although the answer to its creation is lost [X15]', () =>
    onGitLab(async ({ simulator, platform, people, key }) => {
      await people.pushBranch(headBranch);
      simulator.fail({ method: 'POST', path: '/merge_requests', kind: 'reset-after-effect' });
      const opened = await platform.openThread(key).changeRequests?.ensureDraft(draft);
      const opens = simulator.threads(project).filter(({ mergeRequest }) => mergeRequest !== null);
      expect(opens).toMatchObject([{ iid: opened?.number, title: 'Draft: Keep it' }]);
    }));

  it('takes the merge request that somebody else opened a moment earlier', () =>
    onGitLab(async ({ simulator, connect, people, key }) => {
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
      const opens = simulator.threads(project).filter(({ mergeRequest }) => mergeRequest !== null);
      expect(opens.map(({ iid }) => iid)).toEqual([opened?.number]);
    }));

  it('leaves it to people whether a merge request is still a draft', () =>
    onGitLab(async ({ simulator, platform, people, key }) => {
      await people.pushBranch(headBranch);
      const { changeRequests } = platform.openThread(key);
      await changeRequests?.ensureDraft(draft);
      simulator.editThread(project, '!1', { title: 'Keep it' });
      const next = await changeRequests?.ensureDraft({ ...draft, title: 'Keep it for good' });
      expect(next).toMatchObject({ draft: false, title: 'Keep it for good' });
      expect(simulator.thread(project, '!1').title).toBe('Keep it for good');
    }));

  it('has no quick action of a description carried out', () =>
    onGitLab(async ({ simulator, platform, people, key }) => {
      await people.pushBranch(headBranch);
      const { changeRequests } = platform.openThread(key);
      await changeRequests?.ensureDraft({ ...draft, body: 'See below.\n/assign @bob\n/close' });
      expect(simulator.thread(project, '!1')).toMatchObject({ state: 'opened', assignees: [] });
    }));

  it('writes nothing when nothing changed', () =>
    onGitLab(async ({ simulator, platform, people, key }) => {
      await people.pushBranch(headBranch);
      const { changeRequests } = platform.openThread(key);
      await changeRequests?.ensureDraft(draft);
      const asked = simulator.requests.length;
      await changeRequests?.ensureDraft(draft);
      expect(simulator.requests.slice(asked).map(({ method }) => method)).toEqual(['GET']);
    }));

  it('cuts a title to what GitLab takes', () =>
    onGitLab(async ({ simulator, platform, people, key }) => {
      await people.pushBranch(headBranch);
      const { changeRequests } = platform.openThread(key);
      await changeRequests?.ensureDraft({ ...draft, title: '題'.repeat(400) });
      expect(simulator.thread(project, '!1').title).toHaveLength(255);
    }));

  it('tells a merge request of a fork from one of the project, and where its branch is', () =>
    onGitLab(async ({ simulator, platform, keyOfChangeRequest }) => {
      const fork = 'alice/hello';
      await simulator.addProject({ path: fork, forkOf: project, visibility: 'private' });
      const opening = { project, author: 'alice', title: 'From a fork', sourceBranch: headBranch };
      await simulator.openMergeRequest({ ...opening, sourceProject: fork, files: { 'a.txt': 'a' } });
      const thread = platform.openThread(keyOfChangeRequest(1));
      expect(await thread.changeRequests?.findChangeRequest({ headBranch })).toBeNull();
      const closedToUs = (await thread.reader.readThread()).changeRequest;
      expect(closedToUs).toMatchObject({ headRepository: null, headCloneUrl: null, headBranch });
      simulator.setAccess(fork, 'agent', 'developer');
      expect((await thread.reader.readThread()).changeRequest).toMatchObject({
        headRepository: fork,
        headCloneUrl: `${simulator.url}/${fork}.git`,
      });
      simulator.deleteProject(fork);
      expect((await thread.reader.readThread()).changeRequest).toMatchObject({ headRepository: null });
    }));
});
