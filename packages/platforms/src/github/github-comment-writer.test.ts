import { describe, expect, it } from 'vitest';
import { onSimulator } from '../../test/fixtures/simulator-fixture.ts';
import { commentWriterTrouble } from '../../test/suites/comment-writer-trouble.ts';
import { gitHubWorld } from '../../test/suites/worlds.ts';
import { contractWorld } from '../testing/index.ts';

const { repository } = contractWorld;
const done = { topic: 'final', body: 'Done.' };

describe("GitHub's comment writer", () => {
  commentWriterTrouble(gitHubWorld);

  it('never repeats a write that GitHub refused', () =>
    onSimulator(async ({ simulator, connect, key }) => {
      simulator.addToken({ token: 'reads-only', login: 'agent', permissions: { issues: 'read' } });
      const { writer } = connect({ token: 'reads-only' }).openThread(key);
      await expect(writer.ensureComment(done)).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining(`the token lacks issues: write on ${repository}`),
      });
      expect(simulator.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    }));

  it('reads no more of a long thread than what changed since the time that it is told', () =>
    onSimulator(async ({ simulator, platform, people, key }) => {
      for (let number = 0; number < 250; number += 1) await people.comment(key, alices);
      await people.passTime(60);
      const lastId = await people.comment(key, alices);
      const { comments, writer, ownComments } = platform.openThread(key);
      const listed = (await comments.listComments({ since: null })).comments;
      const since = listed.find(({ id }) => id === lastId)?.createdAt ?? null;
      await platform.identity.whoAmI();
      const before = simulator.requests.length;
      const { id } = await writer.ensureComment({ ...done, since });
      expect(await ownComments?.list({ since })).toMatchObject([{ id, topic: 'final' }]);
      const { writer: another } = platform.openThread(key);
      expect(await another.ensureComment({ ...done, since })).toMatchObject({ id, change: 'unchanged' });
      const asked = simulator.requests.slice(before).map(({ method }) => method);
      expect(asked).toEqual(['GET', 'POST', 'GET', 'GET']);
    }));

  it('fits a body of 1 MB into 65,536 characters', () =>
    onSimulator(async ({ platform, people, key }) => {
      await platform.openThread(key).writer.ensureComment({ topic: 'final', body: '語'.repeat(1_000_000) });
      const [comment] = await people.commentsOn(key);
      expect(comment?.body.length).toBeLessThanOrEqual(65_536);
      expect(comment?.body.length).toBeGreaterThan(65_000);
    }));
});

const { agent } = contractWorld;
const alices = { author: 'alice', body: 'Please mind the tests.' };

describe("GitHub's reactions", () => {
  it('are eyes, a thumb and a confused face', () =>
    onSimulator(async ({ platform, people, key }) => {
      const commentId = await people.comment(key, alices);
      const reactions = platform.openThread(key).reactions;
      for (const meaning of ['seen', 'done', 'refused'] as const)
        await reactions?.ensureReaction({ commentId, meaning });
      expect(await people.reactionsOn(key, commentId)).toEqual(
        ['eyes', '+1', 'confused'].map((name) => ({ author: agent, name })),
      );
    }));

  it('are no edit: the comment keeps its time, and after one counted look nothing is new', () =>
    onSimulator(async ({ platform, people, key }) => {
      const commentId = await people.comment(key, alices);
      const records: boolean[] = [];
      const { comments, reactions } = platform.openThread(key, {
        onRequest: ({ counted }) => records.push(counted),
      });
      const before = await comments.listComments({ since: null });
      await people.passTime(60);
      await reactions?.ensureReaction({ commentId, meaning: 'seen' });
      const { cursor: since } = before;
      const after = await comments.listComments({ since });
      const again = await comments.listComments({ since });
      expect(after.comments).toEqual(before.comments);
      expect(again).toMatchObject({ unchanged: true, comments: [] });
      expect(records).toEqual([true, true, true, false]);
    }));

  it('are counted as the writes that they are', () =>
    onSimulator(async ({ platform, people, key }) => {
      const commentId = await people.comment(key, alices);
      const records: unknown[] = [];
      const { reactions } = platform.openThread(key, { onRequest: (record) => records.push(record) });
      await reactions?.ensureReaction({ commentId, meaning: 'seen' });
      const route = 'POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions';
      expect(records).toMatchObject([{ method: 'POST', route, status: 201, counted: true }]);
    }));

  it.each(['server-error', 'secondary-limit'] as const)(
    'are asked for once, whatever comes of it: %s',
    (kind) =>
      onSimulator(async ({ connect, simulator, people, key }) => {
        const commentId = await people.comment(key, alices);
        const slept: number[] = [];
        const sleep = async (milliseconds: number) => void slept.push(milliseconds);
        simulator.fail({ method: 'POST', path: '/reactions', kind });
        const { reactions } = connect({ readRetries: 2, sleep }).openThread(key);
        const call = reactions?.ensureReaction({ commentId, meaning: 'seen' });
        const code = kind === 'server-error' ? 'unavailable' : 'rate-limited';
        await expect(call).rejects.toMatchObject({ code });
        expect(simulator.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
        expect(slept).toEqual([]);
      }),
  );

  it('hold back no other write once they are given up', () =>
    onSimulator(async ({ platform, simulator, people, key }) => {
      const commentId = await people.comment(key, alices);
      simulator.fail({ method: 'POST', path: '/reactions', kind: 'slow', delayMs: 60_000 });
      const { reactions, writer } = platform.openThread(key);
      const given = new AbortController();
      const call = reactions?.ensureReaction({ commentId, meaning: 'seen', signal: given.signal });
      const writing = writer.ensureComment({ topic: 'final', body: 'Done.' });
      while (!simulator.requests.some(({ path }) => path.endsWith('/reactions'))) {
        await new Promise(setImmediate);
      }
      const reason = new Error('too long');
      given.abort(reason);
      await expect(call).rejects.toBe(reason);
      expect(await writing).toMatchObject({ change: 'created' });
    }));

  it('say what a token lacks', () =>
    onSimulator(async ({ connect, simulator, people, key }) => {
      const commentId = await people.comment(key, alices);
      const permissions = { issues: 'read', pull_requests: 'read' } as const;
      simulator.addToken({ token: 'reads-only', login: agent, permissions });
      const { reactions } = connect({ token: 'reads-only' }).openThread(key);
      await expect(reactions?.ensureReaction({ commentId, meaning: 'done' })).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('Could not react with +1 to a comment of octo/hello#1'),
      });
    }));
});
