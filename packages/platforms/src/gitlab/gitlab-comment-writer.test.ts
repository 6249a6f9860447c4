import { describe, expect, it } from 'vitest';
import { onGitLab } from '../../test/fixtures/gitlab-fixture.ts';
import { commentWriterTrouble } from '../../test/suites/comment-writer-trouble.ts';
import { gitLabWorld } from '../../test/suites/worlds.ts';
import { contractWorld } from '../testing/index.ts';

const { repository: project } = contractWorld;
const done = { topic: 'final', body: 'Done.' };

describe("GitLab's comment writer", () => {
  commentWriterTrouble(gitLabWorld);

  it('has no quick action carried out, whatever a model or a stranger made us write', () =>
    onGitLab(async ({ simulator, platform, key }) => {
      const body = 'Result:\n/close\n/label ~"coding agent"\n\n```\n/title Mine now\n```\n/assign @bob';
      const { writer } = platform.openThread(key);
      await writer.ensureComment({ topic: 'final', body });
      await writer.ensureComment({ topic: 'final', body: `${body}\n/lock` });
      const thread = simulator.thread(project, '#1');
      expect(thread).toMatchObject({ state: 'opened', title: 'Contract', labels: [], assignees: [] });
      expect(thread.notes.at(-1)?.body).toContain('\\/close\n\\/label ~"coding agent"');
      expect(await writer.ensureComment({ topic: 'final', body: `${body}\n/lock` })).toMatchObject({
        change: 'unchanged',
      });
    }));

  it('says which scope a token lacks, and never repeats a write that GitLab refused', () =>
    onGitLab(async ({ simulator, connect, key }) => {
      simulator.addToken({ token: 'reads-only', username: 'agent', scopes: ['read_api'] });
      const platform = connect({ token: 'reads-only' });
      await platform.tasks.listTasks({ label: null, assignee: null, state: 'open' });
      const { writer } = platform.openThread(key);
      await expect(writer.ensureComment(done)).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining(`the token lacks scope api on ${project}`),
      });
      expect(simulator.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    }));

  it('fits a body of 2 MB into 1,000,000 characters', () =>
    onGitLab(async ({ platform, people, key }) => {
      await platform.openThread(key).writer.ensureComment({ topic: 'final', body: '語'.repeat(2_000_000) });
      const [note] = await people.commentsOn(key);
      expect(note?.body.length).toBeLessThanOrEqual(1_000_000);
      expect(note?.body.length).toBeGreaterThan(999_000);
    }));
});
