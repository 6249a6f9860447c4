import { describe, expect, it } from 'vitest';
import { onGitLab } from '../../test/fixtures/gitlab-fixture.ts';
import { contractWorld } from '../testing/index.ts';

const { repository: project } = contractWorld;

describe("GitLab's labels", () => {
  it('gives a label that is missing the color and description of its style [RL-1]', () =>
    onGitLab(async ({ simulator, connect, projectId, key }) => {
      const labelStyle = (name: string) => ({ color: 'ff8800', description: `about ${name}` });
      await connect({ labelStyle }).openThread(key).labels?.addLabel('coding agent done');
      const response = await fetch(`${simulator.url}/api/v4/projects/${projectId}/labels`, {
        headers: { 'private-token': 'token-of-agent' },
      });
      expect(await response.json()).toMatchObject([
        { name: 'coding agent done', color: '#ff8800', description: 'about coding agent done' },
      ]);
    }));

  it('sends one name at a time, never the whole list [RL-1]', () =>
    onGitLab(async ({ simulator, connect, people, projectId, key }) => {
      await people.addLabels(key, ['coding agent', 'bug']);
      const bodies: unknown[] = [];
      const watching: typeof fetch = (input, init) => {
        if (init?.method === 'PUT') bodies.push(JSON.parse(String(init.body)));
        return fetch(input, init);
      };
      const { labels } = connect({ fetch: watching }).openThread(key);
      await labels?.removeLabel('coding agent');
      await labels?.addLabel('bug');
      expect(bodies).toEqual([{ remove_labels: 'coding agent' }, { add_labels: 'bug' }]);
      expect(simulator.requests.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`)).toEqual([
        `PUT /api/v4/projects/${projectId}/issues/1`,
        `GET /api/v4/projects/${projectId}/labels`,
        `PUT /api/v4/projects/${projectId}/issues/1`,
      ]);
    }));

  it('asks once whether the project has a label', () =>
    onGitLab(async ({ simulator, platform, people, key }) => {
      await platform.openThread(key).labels?.addLabel('coding agent done');
      const other = await people.openPullRequest({ author: 'alice', title: 'c', headBranch: 'c' });
      const asked = simulator.requests.length;
      await platform.openThread(other).labels?.addLabel('coding agent done');
      expect(simulator.requests.slice(asked).map(({ method }) => method)).toEqual(['PUT']);
    }));

  it('takes a label that somebody else made a moment earlier', () =>
    onGitLab(async ({ connect, people, key }) => {
      let raced = false;
      const racing: typeof fetch = async (input, init) => {
        if (init?.method === 'POST' && !raced) {
          raced = true;
          await connect().openThread(key).labels?.addLabel('new');
        }
        return fetch(input, init);
      };
      await connect({ fetch: racing }).openThread(key).labels?.addLabel('new');
      expect(await people.labelsOn(key)).toEqual(['new']);
    }));

  it.each(['one, two', ' '])('refuses %j, which GitLab would take for something else', (label) =>
    onGitLab(async ({ simulator, platform, key }) => {
      const { labels } = platform.openThread(key);
      await expect(labels?.addLabel(label)).rejects.toMatchObject({ code: 'invalid' });
      await expect(labels?.removeLabel(label)).rejects.toMatchObject({ code: 'invalid' });
      expect(simulator.requests).toEqual([]);
    }),
  );

  it('complains about a thread that is not there, unlike a label that is not', () =>
    onGitLab(async ({ platform, missingKey }) => {
      const { labels } = platform.openThread(missingKey);
      await expect(labels?.removeLabel('bug')).rejects.toMatchObject({ code: 'not-found' });
    }));

  it('says so when an account may not change labels, and what it needs', () =>
    onGitLab(async ({ simulator, platform, key }) => {
      simulator.setAccess(project, 'agent', 'guest');
      await expect(platform.openThread(key).labels?.addLabel('bug')).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('Reporter for issues and labels'),
      });
    }));
});
