import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Comment, Platform, TaskKey } from '../src/index.ts';
import { contractWorld } from '../src/testing/index.ts';
import { onGitLab } from './fixtures/gitlab-fixture.ts';
import { onSimulator } from './fixtures/simulator-fixture.ts';

const { repository } = contractWorld;

/** Changes that gateways make to an answer without changing what the list holds. */
const changes = ['none', 'dropped', 'reordered', 'unquoted', 'shuffled', 'repeated'] as const;
type Change = (typeof changes)[number];

/** Headers by which a list shows its size and its other pages. */
const places = ['link', 'x-total', 'x-total-pages', 'x-next-page', 'x-prev-page', 'x-page', 'x-per-page'];

async function throughProxy(response: Response, change: Change): Promise<Response> {
  const isList = response.status === 200 && response.headers.get('content-type')?.includes('json');
  if (!isList || change === 'none') return response;
  const headers = new Headers(response.headers);
  const link = headers.get('link');
  if (change === 'dropped') for (const name of places) headers.delete(name);
  if (change === 'reordered' && link !== null) headers.set('link', link.split(', ').toReversed().join(' ,'));
  if (change === 'unquoted' && link !== null)
    headers.set('link', link.replaceAll(/; rel="(\w+)"/gu, ';title="a, b";REL=$1'));
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name);
  const body: unknown = await response.json();
  const items = Array.isArray(body) ? body : null;
  if (change === 'shuffled') items?.reverse();
  if (change === 'repeated' && items !== null && items.length > 0 && items.length < 100) items.push(items[0]);
  return Response.json(body, { status: response.status, headers });
}

/** A fetch through a proxy that changes the answers one after another. */
function proxyOf(script: readonly Change[], send: typeof fetch = fetch): typeof fetch {
  let count = 0;
  return async (input, init) => {
    const response = await send(input, init);
    const change = script[count % script.length] ?? 'none';
    count += 1;
    return throughProxy(response, change);
  };
}

/** A server that leaves items out of a page after it has counted and cut the list. */
function hideItems(isShown: (item: { readonly body?: unknown }) => boolean): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.headers.get('content-type')?.includes('json')) return response;
    const body: unknown = await response.json();
    const headers = new Headers(response.headers);
    for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name);
    const shown = Array.isArray(body) ? body.filter(isShown) : body;
    return Response.json(shown, { status: response.status, headers });
  };
}

const scripts = fc.array(fc.constantFrom(...changes), { minLength: 1, maxLength: 7 });
const counts = fc.constantFrom(1, 99, 100, 101, 199, 200, 201, 300, 345);
const bodies = (comments: readonly Comment[]) => comments.map(({ body }) => body);
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `comment ${index}`);

interface Trial {
  readonly platform: Platform;
  readonly key: TaskKey;
  readonly count: number;
  /** Tells whether the server shows a comment. Default: all. */
  readonly isShown?: ((body: string) => boolean) | undefined;
}

/** Reads the whole thread, then what changed since, twice each. */
async function expectAll({ platform, key, count, isShown = () => true }: Trial): Promise<void> {
  const { comments } = platform.openThread(key);
  const expected = numbered(count).filter(isShown);
  const first = await comments.listComments({ since: null });
  expect(bodies(first.comments)).toEqual(expected);
  const { cursor } = first;
  const since = await comments.listComments({ since: cursor });
  expect(bodies(since.comments)).toEqual(expected);
  const again = await comments.listComments({ since: cursor });
  if (!again.unchanged) expect(bodies(again.comments)).toEqual(expected);
}

describe('A list of comments', () => {
  it('is complete on GitHub behind proxies that drop, rewrite and reorder links and items', () =>
    onSimulator(async ({ simulator, connect, key }) => {
      let filled = 0;
      await fc.assert(
        fc.asyncProperty(counts, scripts, async (count, script) => {
          for (const { id } of simulator.thread(repository, 1).comments)
            simulator.deleteComment(repository, id);
          for (filled = 0; filled < count; filled += 1)
            simulator.comment({ repo: repository, number: 1, author: 'alice', body: `comment ${filled}` });
          await expectAll({ platform: connect({ fetch: proxyOf(script) }), key, count });
        }),
        { numRuns: 40 },
      );
    }));

  it(
    'is complete on GitLab behind proxies that drop, rewrite and reorder links and items',
    { tags: ['full'] },
    () =>
      onGitLab(async ({ simulator, connect, projectId }) => {
        await fc.assert(
          fc.asyncProperty(counts, scripts, async (count, script) => {
            const { iid } = simulator.openIssue({ project: repository, author: 'alice', title: 'one more' });
            for (let index = 0; index < count; index += 1)
              simulator.note({
                ...{ project: repository, reference: `#${iid}`, author: 'alice', body: `comment ${index}` },
              });
            const platform = connect({ fetch: proxyOf(script) });
            await expectAll({
              platform,
              key: { type: 'gitlab_issue', projectId, issueIid: iid },
              count,
            });
          }),
          { numRuns: 40 },
        );
      }),
  );

  it('is complete on GitLab where notes are left out of pages that were cut before', { tags: ['full'] }, () =>
    onGitLab(async ({ simulator, connect, projectId }) => {
      const spreads = fc.record({ offset: fc.nat(2), every: fc.integer({ min: 2, max: 60 }) });
      await fc.assert(
        fc.asyncProperty(counts, scripts, spreads, async (count, script, { offset, every }) => {
          const { iid } = simulator.openIssue({ project: repository, author: 'alice', title: 'one more' });
          for (let index = 0; index < count; index += 1)
            simulator.note({
              ...{ project: repository, reference: `#${iid}`, author: 'alice', body: `comment ${index}` },
            });
          const isShown = (body: string) => Number(/\d+/u.exec(body)?.[0]) % every !== offset;
          const hidden = hideItems(({ body }) => typeof body !== 'string' || isShown(body));
          const platform = connect({ fetch: proxyOf(script, hidden) });
          await expectAll({
            platform,
            key: { type: 'gitlab_issue', projectId, issueIid: iid },
            ...{ count, isShown },
          });
        }),
        { numRuns: 40 },
      );
    }),
  );

  it('has the comments that others edit and delete while its pages are read', () =>
    onSimulator(async ({ simulator, connect, key }) => {
      for (let index = 0; index < 250; index += 1)
        simulator.comment({ repo: repository, number: 1, author: 'alice', body: `comment ${index}` });
      const { comments: all } = simulator.thread(repository, 1);
      const [first] = all;
      let asked = 0;
      const platform = connect({
        fetch: async (input, init) => {
          const response = await throughProxy(await fetch(input, init), 'dropped');
          asked += 1;
          if (asked === 1 && first !== undefined) simulator.deleteComment(repository, first.id);
          return response;
        },
      });
      const { comments } = await platform.openThread(key).comments.listComments({ since: null });
      const known = new Set(bodies(comments));
      expect(
        numbered(250)
          .slice(1)
          .filter((body) => !known.has(body)),
      ).toEqual([]);
    }));
});

describe('A link to a page that cannot be the next one', () => {
  const strange = [
    (link: string) => link.replaceAll('page=2', 'page=1'),
    (link: string) => link.replaceAll(/\?[^>]*/gu, ''),
    (link: string) => link.slice(0, -4),
    () => 'next page: 2',
  ];

  it.each(strange)('is an error on both platforms', async (rewrite) => {
    const changed: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      const link = response.headers.get('link');
      if (link === null) return response;
      const headers = new Headers(response.headers);
      headers.set('link', rewrite(link));
      return new Response(response.body, { status: response.status, headers });
    };
    const error = expect.objectContaining({ code: 'unavailable', message: expect.stringContaining('Link') });
    await onSimulator(async ({ simulator, connect, key }) => {
      for (let index = 0; index < 101; index += 1)
        simulator.comment({ repo: repository, number: 1, author: 'alice', body: `comment ${index}` });
      const { comments } = connect({ fetch: changed }).openThread(key);
      await expect(comments.listComments({ since: null })).rejects.toThrowError(error);
    });
    await onGitLab(async ({ simulator, connect, key }) => {
      for (let index = 0; index < 101; index += 1)
        simulator.note({ project: repository, reference: '#1', author: 'alice', body: `comment ${index}` });
      const { comments } = connect({ fetch: changed }).openThread(key);
      await expect(comments.listComments({ since: null })).rejects.toThrowError(error);
    });
  });
});
