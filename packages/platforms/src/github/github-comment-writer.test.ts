import { describe, expect, it } from 'vitest';
import { onSimulator } from '../../test/fixtures/simulator-fixture.ts';
import { contractWorld } from '../testing/index.ts';

const { repository } = contractWorld;
const done = { topic: 'final', body: 'Done.' };

describe("GitHub's comment writer", () => {
  it('writes one comment although the answer to its creation is lost', () =>
    onSimulator(async ({ simulator, connect, people, key }) => {
      simulator.fail({ method: 'POST', path: '/comments', kind: 'reset-after-effect' });
      const pauses: number[] = [];
      const platform = connect({
        lookAgainDelayMs: 700,
        sleep: async (milliseconds) => {
          pauses.push(milliseconds);
        },
      });
      const ensured = await platform.openThread(key).writer.ensureComment(done);
      const comments = await people.commentsOn(key);
      expect(comments).toHaveLength(1);
      expect(ensured).toMatchObject({ id: comments[0]?.id, change: 'created' });
      expect(pauses).toEqual([700]);
    }));

  it.each(['server-error', 'reset-connection', 'bad-gateway-html', 'malformed-json'] as const)(
    'looks again after %s and leaves one comment',
    (kind) =>
      onSimulator(async ({ simulator, platform, people, key }) => {
        simulator.fail({ method: 'POST', path: '/comments', kind });
        expect(await platform.openThread(key).writer.ensureComment(done)).toMatchObject({
          change: 'created',
        });
        expect(await people.commentsOn(key)).toHaveLength(1);
      }),
  );

  it('tries a creation twice at most, and a later call begins anew', () =>
    onSimulator(async ({ simulator, platform, people, key }) => {
      simulator.fail({ method: 'POST', path: '/comments', kind: 'server-error', times: 2 });
      const { writer } = platform.openThread(key);
      await expect(writer.ensureComment(done)).rejects.toMatchObject({ code: 'unavailable' });
      expect(simulator.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
      expect(await writer.ensureComment(done)).toMatchObject({ change: 'created' });
      expect(await people.commentsOn(key)).toHaveLength(1);
    }));

  it('brings a comment up to date although the answer is lost', () =>
    onSimulator(async ({ simulator, platform, people, key }) => {
      const { writer } = platform.openThread(key);
      await writer.ensureComment(done);
      simulator.fail({ method: 'PATCH', path: '/comments', kind: 'reset-after-effect' });
      expect(await writer.ensureComment({ ...done, body: 'Done, really.' })).toMatchObject({
        change: 'updated',
      });
      const [comment, ...others] = await people.commentsOn(key);
      expect(comment?.body).toContain('Done, really.');
      expect(others).toEqual([]);
    }));

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

  it('lists the thread at its first write only, and asks nothing when nothing changed', () =>
    onSimulator(async ({ simulator, platform, key }) => {
      const { writer } = platform.openThread(key);
      await writer.ensureComment(done);
      const asked = simulator.requests.length;
      await writer.ensureComment(done);
      expect(simulator.requests.length).toBe(asked);
      await writer.ensureComment({ ...done, body: 'Done twice.' });
      expect(simulator.requests.slice(asked).map(({ method }) => method)).toEqual(['PATCH']);
    }));

  it('fits a body of 1 MB into 65,536 characters', () =>
    onSimulator(async ({ platform, people, key }) => {
      await platform.openThread(key).writer.ensureComment({ topic: 'final', body: '語'.repeat(1_000_000) });
      const [comment] = await people.commentsOn(key);
      expect(comment?.body.length).toBeLessThanOrEqual(65_536);
      expect(comment?.body.length).toBeGreaterThan(65_000);
    }));
});
