import { describe, expect, it } from 'vitest';
import { onGitLab } from '../../test/fixtures/gitlab-fixture.ts';
import { changeRequestsTrouble, draft, headBranch } from '../../test/suites/change-requests-trouble.ts';
import { gitLabWorld } from '../../test/suites/worlds.ts';
import { contractWorld } from '../testing/index.ts';

const { repository: project } = contractWorld;

describe("GitLab's change requests", () => {
  changeRequestsTrouble(gitLabWorld);

  it('leaves it to people whether a merge request is still a draft, and what it is called [NX-30]', () =>
    onGitLab(async ({ simulator, platform, people, key }) => {
      await people.pushBranch(headBranch);
      const { changeRequests } = platform.openThread(key);
      await changeRequests?.ensureDraft(draft);
      simulator.editThread(project, '!1', { title: 'Kept by Bob' });
      const next = await changeRequests?.ensureDraft({ ...draft, body: 'More words.' });
      expect(next).toMatchObject({ draft: false, title: 'Kept by Bob' });
      expect(simulator.thread(project, '!1')).toMatchObject({
        title: 'Kept by Bob',
        description: 'More words.',
      });
    }));

  it('has no quick action of a description carried out', () =>
    onGitLab(async ({ simulator, platform, people, key }) => {
      await people.pushBranch(headBranch);
      const { changeRequests } = platform.openThread(key);
      await changeRequests?.ensureDraft({
        ...draft,
        body: 'See below.\n/assign @bob\n/close',
      });
      expect(simulator.thread(project, '!1')).toMatchObject({ state: 'opened', assignees: [] });
    }));

  it('cuts a title to what GitLab takes', () =>
    onGitLab(async ({ simulator, platform, people, key }) => {
      await people.pushBranch(headBranch);
      const { changeRequests } = platform.openThread(key);
      await changeRequests?.ensureDraft({ ...draft, title: '題'.repeat(400) });
      expect(simulator.thread(project, '!1').title).toHaveLength(255);
    }));

  it('tells a merge request of a fork from one of the project, whether or not the fork can be read [NX-29]', () =>
    onGitLab(async ({ simulator, platform, keyOfChangeRequest }) => {
      const fork = 'alice/hello';
      await simulator.addProject({ path: fork, forkOf: project, visibility: 'private' });
      const opening = { project, author: 'alice', title: 'From a fork', sourceBranch: headBranch };
      await simulator.openMergeRequest({ ...opening, sourceProject: fork, files: { 'a.txt': 'a' } });
      const thread = platform.openThread(keyOfChangeRequest(1));
      expect(await thread.changeRequests?.findChangeRequest({ headBranch })).toBeNull();
      const read = async () => (await thread.reader.readThread()).changeRequest;
      expect(await read()).toMatchObject({ fromFork: true, headBranch });
      simulator.setAccess(fork, 'agent', 'developer');
      expect(await read()).toMatchObject({ fromFork: true });
      simulator.deleteProject(fork);
      expect(await read()).toMatchObject({ fromFork: true });
    }));
});
