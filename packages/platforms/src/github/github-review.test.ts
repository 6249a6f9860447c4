import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { tokenOf } from '../../test/fixtures/rest-people.ts';
import { createGitHubReviewFixture } from '../../test/fixtures/review-fixtures.ts';
import type { RequestRecord } from '../model.ts';
import type { ReviewPorts } from '../review-ports.ts';
import { contractWorld } from '../testing/index.ts';

type World = Awaited<ReturnType<typeof createGitHubReviewFixture>>;

async function onPull(run: (world: World) => Promise<void>): Promise<void> {
  const world = await createGitHubReviewFixture();
  try {
    await run(world);
  } finally {
    await world.close();
  }
}

function reviewOf(
  { world, key }: World,
  options: Parameters<World['world']['connect']>[0] = {},
): ReviewPorts {
  const review = world.connect(options).openReview?.(key);
  if (review == null) throw new Error('a pull request has a review');
  return review;
}

describe('reviews and checks on GitHub', () => {
  it('carry reactions of ours where a person wrote on a line [NX-185]', () =>
    onPull(async ({ world, key, people }) => {
      const commentId = await people.commentOnLine({ author: 'bob', body: 'Plus?', line: 2 });
      const { reactions } = world.platform.openThread(key);
      await reactions?.ensureReaction({ commentId, meaning: 'seen' });
      await reactions?.ensureReaction({ commentId: 'check-0123-build', meaning: 'seen' });
      const written = world.simulator.requests.filter(({ method }) => method === 'POST');
      expect(written.map(({ path }) => path)).toEqual([
        expect.stringMatching(/\/pulls\/comments\/\d+\/reactions$/),
      ]);
    }));

  it('are nothing to an issue [NX-183]', () =>
    onPull(async ({ world }) => expect(world.platform.openReview?.(world.key)).toBeNull()));

  it('cost nothing while nothing changes [NX-183]', () =>
    onPull(async ({ world, key, people }) => {
      await people.commentOnLine({ author: 'bob', body: 'Plus?', line: 2 });
      await people.check({ name: 'build', conclusion: 'failure', log: 'no' });
      const records: RequestRecord[] = [];
      const review = world.platform.openReview?.(key, { onRequest: (record) => records.push(record) });
      const poll = async () => {
        const { cursor } = (await review?.lines.listComments({ since: null })) ?? {};
        await review?.lines.listComments({ since: cursor ?? null });
        await review?.reviews?.listComments({ since: null });
        await review?.checks.list({ head: await review.checks.readHead() });
      };
      await poll();
      records.length = 0;
      await poll();
      expect(records.map(({ status }) => status)).toEqual(records.map(() => 304));
    }));

  it('are heard of by one poll of the repository [NX-183]', () =>
    onPull(async ({ world, key, people }) => {
      const changes = world.platform.openLineChanges?.(key);
      expect(await changes?.listChanges()).toMatchObject({ changes: [], unchanged: false });
      const id = await people.commentOnLine({ author: 'bob', body: 'Plus?', line: 2 });
      const listing = await changes?.listChanges();
      expect(listing?.changes.map(({ comment, thread }) => [comment?.id, thread])).toEqual([
        [id, `${contractWorld.repository}#2`],
      ]);
    }));

  it('are read from the jobs of workflows where a token may not read checks, and need no permission more [NX-184]', () =>
    onPull(async (fixture) => {
      const { world, people } = fixture;
      await people.check({ name: 'build', conclusion: 'failure', log: 'no such file' });
      const permissions = { checks: 'none', actions: 'read' } as const;
      world.simulator.addToken({ token: 'fine', login: 'agent', permissions });
      const { checks } = reviewOf(fixture, { token: 'fine' });
      const [check, ...others] = await checks.list({ head: await checks.readHead() });
      expect(others).toEqual([]);
      expect(check).toMatchObject({ name: 'build', conclusion: 'failure', attempt: 1 });
      expect(await checks.readLog({ id: check?.id ?? '' })).toBe('no such file\n');
      await expect(checks.rerun({ id: check?.id ?? '' })).rejects.toMatchObject({ code: 'forbidden' });
    }));

  it('are refused, and not empty, where a token may read neither [NX-184]', () =>
    onPull(async (fixture) => {
      const { world, people } = fixture;
      await people.check({ name: 'build', conclusion: 'failure', log: 'no' });
      const permissions = { checks: 'none', actions: 'none' } as const;
      world.simulator.addToken({ token: 'finer', login: 'agent', permissions });
      const { checks } = reviewOf(fixture, { token: 'finer' });
      const head = await checks.readHead();
      await expect(checks.list({ head })).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('checks: read'),
      });
    }));

  it('list what is required and has not begun as waiting, and run again what has ended [NX-183]', () =>
    onPull(async (fixture) => {
      const { world, people } = fixture;
      world.simulator.ci.require(contractWorld.repository, 'main', { names: ['e2e'], strict: false });
      await people.check({ name: 'build', conclusion: 'failure', log: 'no' });
      const { checks } = reviewOf(fixture);
      const head = await checks.readHead();
      const [build] = await checks.list({ head });
      expect(
        (await checks.list({ head })).map(({ name, conclusion, required }) => [name, conclusion, required]),
      ).toEqual([
        ['build', 'failure', false],
        ['e2e', null, true],
      ]);
      await people.passTime(10);
      await checks.rerun({ id: build?.id ?? '' });
      expect((await checks.list({ head })).filter(({ name }) => name === 'build')).toHaveLength(2);
      await expect(checks.rerun({ id: 'status-1' })).rejects.toMatchObject({ code: 'conflict' });
    }));

  it('send no token to where a log lies [NX-184]', () =>
    onPull(async (fixture) => {
      const seen: (string | undefined)[] = [];
      const elsewhere = createServer((request, response) => {
        seen.push(request.headers.authorization);
        response.end('2026-01-02T03:04:05.0000000Z the log\n');
      });
      await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
      const address = elsewhere.address() as { readonly port: number };
      const location = `http://127.0.0.1:${address.port}/log`;
      const redirecting: typeof fetch = async (input, init) =>
        String(input).includes('/logs')
          ? new Response(null, { status: 302, headers: { location } })
          : fetch(input, init);
      try {
        const { checks } = reviewOf(fixture, { fetch: redirecting, token: tokenOf('agent') });
        expect(await checks.readLog({ id: 'job-1' })).toBe('the log\n');
        expect(seen).toEqual([undefined]);
      } finally {
        elsewhere.close();
      }
    }));
});
