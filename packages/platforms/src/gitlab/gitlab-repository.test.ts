import { describe, expect, it } from 'vitest';
import { type GitLabFixture, onGitLab } from '../../test/fixtures/gitlab-fixture.ts';
import type { PlatformThread, RepositoryReader } from '../ports.ts';
import { contractWorld } from '../testing/index.ts';

const { repository: project } = contractWorld;

async function openElsewhere(
  { simulator, connect }: GitLabFixture,
  files: Readonly<Record<string, string>> | null,
): Promise<PlatformThread> {
  const path = 'octo/other';
  const projectId = String(await simulator.addProject({ path, files, members: { agent: 'developer' } }));
  const { iid: issueIid } = simulator.openIssue({ project: path, author: 'octo', title: 'Start' });
  return connect({ projects: [path] }).openThread({ type: 'gitlab_issue', projectId, issueIid });
}

function present(reader: RepositoryReader | null): RepositoryReader {
  if (reader === null) throw new Error('GitLab has repositories');
  return reader;
}

describe("GitLab's repository reader", () => {
  it('a project without commits has no files, and its files are not found', () =>
    onGitLab(async (fixture) => {
      const thread = await openElsewhere(fixture, null);
      const repository = present(thread.repository);
      expect(await repository.describe()).toMatchObject({
        path: 'octo/other',
        defaultBranch: 'main',
        private: true,
      });
      expect(await repository.listFiles()).toEqual([]);
      expect(await thread.changeRequests?.listBranches({ prefix: 'agent/' })).toEqual([]);
      await expect(repository.readFile('README.md')).rejects.toMatchObject({ code: 'not-found' });
    }));

  it.each([
    [{ agent: 'developer' }, false],
    [{ agent: 'guest' }, true],
    [{}, true],
  ] as const)('hides threads in a public project without the access of a Reporter: %j', (members, isHidden) =>
    onGitLab(async ({ simulator, connect }) => {
      const path = 'octo/open';
      const seed = { path, files: {}, visibility: 'public', members } as const;
      const projectId = String(await simulator.addProject(seed));
      const hidden = { project: path, author: 'octo', title: 'A hole', confidential: true };
      const { iid: issueIid } = simulator.openIssue(hidden);
      const thread = connect({ projects: [path] }).openThread({ type: 'gitlab_issue', projectId, issueIid });
      expect((await present(thread.repository).describe()).hidesThreads).toBe(isHidden);
      const reading = thread.reader.readThread();
      if (isHidden) await expect(reading).rejects.toMatchObject({ code: 'not-found' });
      else expect((await reading).confidential).toBe(true);
    }),
  );

  it('lists the files of a tree of many pages', () =>
    onGitLab(async (fixture) => {
      const paths = Array.from({ length: 250 }, (_, index) => `src/deep/${index % 7}/file ${index}.ts`);
      const thread = await openElsewhere(fixture, Object.fromEntries(paths.map((path) => [path, path])));
      expect(await present(thread.repository).listFiles()).toEqual([...paths].sort());
    }));

  it('reads a file of more than 1 MB', () =>
    onGitLab(async (fixture) => {
      const text = '0123456789abcdé\n'.repeat(80_000);
      const thread = await openElsewhere(fixture, { 'large.txt': text });
      expect(await present(thread.repository).readFile('large.txt')).toBe(text);
    }));

  it('a directory is no file', () =>
    onGitLab(async ({ platform, key }) => {
      for (const path of ['src', '', '.', '..', '../issues']) {
        await expect(present(platform.openThread(key).repository).readFile(path)).rejects.toMatchObject({
          code: expect.stringMatching(/not-found|invalid|unavailable/),
        });
      }
    }));

  it('keeps a search inside its project, and leaves out what is confidential', () =>
    onGitLab(async (fixture) => {
      const { simulator, platform, people, key } = fixture;
      const elsewhere = 'octo/secret';
      await simulator.addProject({ path: elsewhere, files: {}, members: { agent: 'developer' } });
      simulator.openIssue({ project: elsewhere, author: 'octo', title: 'The kettle plan' });
      const body = { author: 'alice', title: 'Noise', body: 'the kettle again' };
      await people.openIssue(body);
      await people.passTime(60);
      await people.openPullRequest({ author: 'alice', title: 'Mend the kettle', headBranch: 'kettle' });
      for (let index = 0; index < 21; index += 1) {
        simulator.openIssue({
          project,
          author: 'alice',
          title: `Secret kettle ${index}`,
          confidential: true,
        });
      }
      const found = await present(platform.openThread(key).repository).searchThreads('kettle');
      expect(found.map(({ title }) => title)).toEqual(['Mend the kettle', 'Noise']);
    }));
});
