import { describe, expect, it } from 'vitest';
import { onGitLab } from '../../test/fixtures/gitlab-fixture.ts';
import { contractWorld } from '../testing/index.ts';

const { repository: project } = contractWorld;
const done = { topic: 'final', body: 'Done.' };

describe("GitLab's comment writer", () => {
  it('writes one note although the answer to its creation is lost [RL-1]', () =>
    onGitLab(async ({ simulator, connect, people, key }) => {
      simulator.fail({ method: 'POST', path: '/notes', kind: 'reset-after-effect' });
      const pauses: number[] = [];
      const platform = connect({
        lookAgainDelayMs: 700,
        sleep: async (milliseconds) => {
          pauses.push(milliseconds);
        },
      });
      const ensured = await platform.openThread(key).writer.ensureComment(done);
      const notes = await people.commentsOn(key);
      expect(notes).toHaveLength(1);
      expect(ensured).toMatchObject({ id: notes[0]?.id, change: 'created' });
      expect(pauses).toEqual([700]);
    }));

  it.each(['server-error', 'reset-connection', 'bad-gateway-html', 'malformed-json'] as const)(
    'looks again after %s and leaves one note',
    (kind) =>
      onGitLab(async ({ simulator, connect, people, key }) => {
        simulator.fail({ method: 'POST', path: '/notes', kind });
        const { writer } = connect({ readRetries: 2, retryDelayMs: 0 }).openThread(key);
        expect(await writer.ensureComment(done)).toMatchObject({ change: 'created' });
        expect(await people.commentsOn(key)).toHaveLength(1);
      }),
  );

  it('tries a creation twice at most, and a later call begins anew', () =>
    onGitLab(async ({ simulator, platform, people, key }) => {
      simulator.fail({ method: 'POST', path: '/notes', kind: 'bad-gateway-html', times: 2 });
      const { writer } = platform.openThread(key);
      await expect(writer.ensureComment(done)).rejects.toMatchObject({ code: 'unavailable' });
      expect(simulator.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
      expect(await writer.ensureComment(done)).toMatchObject({ change: 'created' });
      expect(await people.commentsOn(key)).toHaveLength(1);
    }));

  it('brings a note up to date although the answer is lost', () =>
    onGitLab(async ({ simulator, platform, people, key }) => {
      const { writer } = platform.openThread(key);
      await writer.ensureComment(done);
      simulator.fail({ method: 'PUT', path: '/notes', kind: 'reset-after-effect' });
      expect(await writer.ensureComment({ ...done, body: 'Done, really.' })).toMatchObject({
        change: 'updated',
      });
      const [note, ...others] = await people.commentsOn(key);
      expect(note?.body).toContain('Done, really.');
      expect(others).toEqual([]);
    }));

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

  it('lists the thread at its first write only, and asks nothing when nothing changed', () =>
    onGitLab(async ({ simulator, platform, key }) => {
      const { writer } = platform.openThread(key);
      await writer.ensureComment(done);
      const asked = simulator.requests.length;
      await writer.ensureComment(done);
      expect(simulator.requests.length).toBe(asked);
      await writer.ensureComment({ ...done, body: 'Done twice.' });
      expect(simulator.requests.slice(asked).map(({ method }) => method)).toEqual(['PUT']);
    }));

  it('fits a body of 2 MB into 1,000,000 characters', () =>
    onGitLab(async ({ platform, people, key }) => {
      await platform.openThread(key).writer.ensureComment({ topic: 'final', body: '語'.repeat(2_000_000) });
      const [note] = await people.commentsOn(key);
      expect(note?.body.length).toBeLessThanOrEqual(1_000_000);
      expect(note?.body.length).toBeGreaterThan(999_000);
    }));
});
