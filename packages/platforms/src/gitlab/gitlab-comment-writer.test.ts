import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { onGitLab } from '../../test/fixtures/gitlab-fixture.ts';
import { commentWriterTrouble } from '../../test/suites/comment-writer-trouble.ts';
import { gitLabWorld } from '../../test/suites/worlds.ts';
import { contractWorld } from '../testing/index.ts';
import { escapeQuickActions } from './gitlab-comment-writer.ts';

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

  it('reads no more of a long thread than what changed since the time that it is told', () =>
    onGitLab(async ({ simulator, platform, people, key }) => {
      const alices = { author: 'alice', body: 'Please mind the tests.' };
      for (let number = 0; number < 250; number += 1) await people.comment(key, alices);
      await people.passTime(60);
      const lastId = await people.comment(key, alices);
      const { comments, ownComments } = platform.openThread(key);
      const listed = (await comments.listComments({ since: null })).comments;
      const since = listed.find(({ id }) => id === lastId)?.createdAt ?? null;
      const { writer } = platform.openThread(key);
      const { id } = await writer.ensureComment({ ...done, since });
      const before = simulator.requests.length;
      expect(await ownComments?.list({ since })).toMatchObject([{ id, topic: 'final' }]);
      expect(simulator.requests.length - before).toBeLessThan(3);
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

describe('escapeQuickActions', () => {
  it('shows a line that GitLab would carry out', () => {
    expect(escapeQuickActions('Done.\n/close\n  /merge now\r\n/LABEL ~bug\n/unassign_me')).toBe(
      'Done.\n\\/close\n  /merge now\r\n\\/LABEL ~bug\n\\/unassign_me',
    );
  });

  it('leaves paths, fractions and slashes within a line as they are', () => {
    const text = '/usr/bin/node\n/ \n1/2\nsee /close\n`/close`\n//comment\n> /close';
    expect(escapeQuickActions(text)).toBe(text);
  });

  it('changes nothing more when it is done again', () => {
    const line = fc.constantFrom('/close', '/merge x', 'text', '```', ' /a_b', '/usr/x', '');
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const once = escapeQuickActions(lines.join('\n'));
        expect(escapeQuickActions(once)).toBe(once);
        expect(once).not.toMatch(/^\/[a-z_]+(?:\s|$)/imu);
      }),
    );
  });
});

const { agent } = contractWorld;
const alices = { author: 'alice', body: 'Please mind the tests.' };

describe("GitLab's reactions", () => {
  it('are eyes, a thumb and a confused face', () =>
    onGitLab(async ({ platform, people, key }) => {
      const commentId = await people.comment(key, alices);
      const reactions = platform.openThread(key).reactions;
      for (const meaning of ['seen', 'done', 'refused'] as const)
        await reactions?.ensureReaction({ commentId, meaning });
      expect(await people.reactionsOn(key, commentId)).toEqual(
        ['eyes', 'thumbsup', 'confused'].map((name) => ({ author: agent, name })),
      );
    }));

  it('are no edit, although the time of the note moves: its body stays', () =>
    onGitLab(async ({ platform, people, key }) => {
      const commentId = await people.comment(key, alices);
      const { comments, reactions } = platform.openThread(key);
      const [before] = (await comments.listComments({ since: null })).comments;
      await people.passTime(60);
      await reactions?.ensureReaction({ commentId, meaning: 'seen' });
      const [after] = (await comments.listComments({ since: null })).comments;
      expect({ ...after, updatedAt: null }).toEqual({ ...before, updatedAt: null });
      expect(after?.updatedAt).not.toBe(before?.updatedAt);
    }));

  it('are looked for only where GitLab refuses to take them', () =>
    onGitLab(async ({ platform, simulator, people, key }) => {
      const commentId = await people.comment(key, alices);
      await platform.identity.whoAmI();
      const asked = simulator.requests.length;
      const { reactions } = platform.openThread(key);
      await reactions?.ensureReaction({ commentId, meaning: 'seen' });
      await reactions?.ensureReaction({ commentId, meaning: 'seen' });
      const methods = simulator.requests.slice(asked).map(({ method, status }) => `${method} ${status}`);
      expect(methods).toEqual(['POST 201', 'POST 404', 'GET 200']);
    }));

  it('are not taken for given where an emoji is of somebody else, or another of ours', () =>
    onGitLab(async ({ platform, connect, people, key }) => {
      const commentId = await people.comment(key, alices);
      await people.react(key, { commentId, author: 'alice', name: 'eyes' });
      await platform.openThread(key).reactions?.ensureReaction({ commentId, meaning: 'done' });
      const refusing: typeof fetch = async (input, init) =>
        init?.method === 'POST'
          ? Response.json({ message: '404 Award Emoji Not Found' }, { status: 404 })
          : fetch(input, init);
      const { reactions } = connect({ fetch: refusing }).openThread(key);
      await expect(reactions?.ensureReaction({ commentId, meaning: 'seen' })).rejects.toMatchObject({
        code: 'not-found',
      });
    }));

  it.each(['server-error', 'rate-limit'] as const)('are asked for once, whatever comes of it: %s', (kind) =>
    onGitLab(async ({ connect, simulator, people, key }) => {
      const commentId = await people.comment(key, alices);
      const slept: number[] = [];
      const sleep = async (milliseconds: number) => void slept.push(milliseconds);
      simulator.fail({ method: 'POST', path: '/award_emoji', kind });
      const { reactions } = connect({ readRetries: 2, sleep }).openThread(key);
      const call = reactions?.ensureReaction({ commentId, meaning: 'seen' });
      const code = kind === 'server-error' ? 'unavailable' : 'rate-limited';
      await expect(call).rejects.toMatchObject({ code });
      expect(simulator.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
      expect(slept).toEqual([]);
    }),
  );
});
