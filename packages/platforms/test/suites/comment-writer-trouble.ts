import { expect, it } from 'vitest';
import type { HostedFixture, HostedWorld } from './hosted-world.ts';

const done = { topic: 'final', body: 'Done.' };

/** What a comment writer does when answers are lost. */
export function commentWriterTrouble<Fixture extends HostedFixture>(world: HostedWorld<Fixture>): void {
  const { path, change } = world.comments;

  it('writes one comment although the answer to its creation is lost [RL-1]', () =>
    world.on(async ({ simulator, connect, people, key }) => {
      simulator.fail({ method: 'POST', path, kind: 'reset-after-effect' });
      const pauses: number[] = [];
      const platform = connect({
        recheckDelayMs: 700,
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
      world.on(async ({ simulator, connect, people, key }) => {
        simulator.fail({ method: 'POST', path, kind });
        const { writer } = connect({ readRetries: 2, retryDelayMs: 0 }).openThread(key);
        expect(await writer.ensureComment(done)).toMatchObject({ change: 'created' });
        expect(await people.commentsOn(key)).toHaveLength(1);
      }),
  );

  it('leaves one comment where the listing after a lost answer is an older one [NX-98]', () =>
    world.on(async ({ simulator, connect, people, key }) => {
      const lagging = staleOnce(path);
      const pauses: number[] = [];
      const sleep = async (milliseconds: number) => {
        pauses.push(milliseconds);
        // The pause before the lost comment is looked for.
        if (pauses.length === 1) lagging.begin();
      };
      simulator.fail({ method: 'POST', path, kind: 'reset-after-effect' });
      const platform = connect({ fetch: lagging.fetch, recheckDelayMs: 700, sleep });
      const { writer } = platform.openThread(key);
      const ensured = await writer.ensureComment(done);
      const comments = await people.commentsOn(key);
      expect(simulator.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
      expect(comments).toHaveLength(1);
      expect(ensured).toMatchObject({ id: comments[0]?.id, change: 'created' });
      expect(pauses).toEqual([700, 700]);
      expect(await writer.ensureComment({ ...done, body: 'More.' })).toMatchObject({ id: ensured.id });
    }));

  it('keeps a comment that cannot be removed for the next look, and writes all the same [NX-98]', () =>
    world.on(async ({ simulator, platform, people, key }) => {
      const marker = '<!-- agent-comment: final -->';
      const older = await people.comment(key, { author: 'agent', body: `${marker}\nDone.` });
      await people.comment(key, { author: 'agent', body: `${marker}\nDone.` });
      const { writer, ownComments } = platform.openThread(key);
      simulator.fail({ method: 'DELETE', path, kind: 'server-error' });
      expect(await writer.ensureComment(done)).toMatchObject({ id: older, change: 'unchanged' });
      expect(await people.commentsOn(key)).toHaveLength(2);
      expect(await ownComments?.list()).toMatchObject([{ id: older, topic: 'final' }]);
      expect(await people.commentsOn(key)).toHaveLength(1);
    }));

  it('tries a creation twice at most, and a later call begins anew', () =>
    world.on(async ({ simulator, platform, people, key }) => {
      simulator.fail({ method: 'POST', path, kind: 'bad-gateway-html', times: 2 });
      const { writer } = platform.openThread(key);
      await expect(writer.ensureComment(done)).rejects.toMatchObject({ code: 'unavailable' });
      expect(simulator.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
      expect(await writer.ensureComment(done)).toMatchObject({ change: 'created' });
      expect(await people.commentsOn(key)).toHaveLength(1);
    }));

  it('brings a comment up to date although the answer is lost', () =>
    world.on(async ({ simulator, platform, people, key }) => {
      const { writer } = platform.openThread(key);
      await writer.ensureComment(done);
      simulator.fail({ method: change, path, kind: 'reset-after-effect' });
      expect(await writer.ensureComment({ ...done, body: 'Done, really.' })).toMatchObject({
        change: 'updated',
      });
      const [comment, ...others] = await people.commentsOn(key);
      expect(comment?.body).toContain('Done, really.');
      expect(others).toEqual([]);
    }));

  it('edits a comment although the answer is lost, and lists nothing for it [NX-236]', () =>
    world.on(async ({ simulator, platform, connect, people, key }) => {
      const { id } = await platform.openThread(key).writer.ensureComment(done);
      const { ownComments } = connect({ recheckDelayMs: 0 }).openThread(key);
      const asked = simulator.requests.length;
      simulator.fail({ method: change, path, kind: 'reset-after-effect' });
      expect(await ownComments?.edit({ ...done, id, body: 'Done, really.' })).toBe('updated');
      const listed = simulator.requests.slice(asked).filter((one) => one.path.includes(path));
      expect(listed.map(({ method }) => method)).toEqual([change, change]);
      expect(await people.commentsOn(key)).toMatchObject([
        { id, body: expect.stringContaining('Done, really.') },
      ]);
    }));

  it('says of no comment that it is gone where it could not ask [NX-236]', () =>
    world.on(async ({ simulator, platform, people, key }) => {
      const { writer, ownComments } = platform.openThread(key);
      const { id } = await writer.ensureComment(done);
      simulator.fail({ method: change, path, kind: 'server-error', times: 2 });
      const edited = ownComments?.edit({ ...done, id, body: 'More.' });
      await expect(edited).rejects.toMatchObject({ code: 'unavailable' });
      expect(await people.commentsOn(key)).toHaveLength(1);
    }));

  it('lists the thread at its first write only, and asks nothing when nothing changed', () =>
    world.on(async ({ simulator, platform, key }) => {
      const { writer } = platform.openThread(key);
      await writer.ensureComment(done);
      const asked = simulator.requests.length;
      await writer.ensureComment(done);
      expect(simulator.requests.length).toBe(asked);
      await writer.ensureComment({ ...done, body: 'Done twice.' });
      expect(simulator.requests.slice(asked).map(({ method }) => method)).toEqual([change]);
    }));
}

/** A fetch whose next listing after `begin` is an empty one, as a replica has it that nothing has reached yet. */
function staleOnce(path: string): { readonly fetch: typeof fetch; readonly begin: () => void } {
  let isStale = false;
  return {
    begin: () => {
      isStale = true;
    },
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      const isListing = (init?.method ?? 'GET') === 'GET' && String(input).includes(path);
      if (!isStale || !isListing) return answer;
      isStale = false;
      return Response.json([]);
    },
  };
}
