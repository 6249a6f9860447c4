import { describe, expect, it } from 'vitest';
import { onGitLab } from '../../test/fixtures/gitlab-fixture.ts';
import { contractWorld } from '../testing/index.ts';

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
