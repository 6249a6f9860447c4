import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  listAllPages,
  listFirstHundred,
  listFirstThirty,
  type PlainListing,
} from './list-comments-plainly.ts';
import { repository, startThreadForge, type ThreadForge } from './thread-forge.ts';

let forge: ThreadForge;
let listing: PlainListing;

beforeAll(async () => {
  forge = await startThreadForge();
  const { url: baseUrl } = await forge.describe();
  const number = await forge.openThread({ comments: 205, until: Date.parse('2026-03-01T00:00:00Z') });
  listing = { fetch: globalThis.fetch, baseUrl, repository, number, token: await forge.newToken() };
});

afterAll(() => forge.close());

describe('the ways to list', () => {
  it('read all pages, or the oldest 100, or the oldest 30', async () => {
    const all = await listAllPages(listing);
    expect(all).toHaveLength(205);
    expect(new Set(all.map(({ id }) => id)).size).toBe(205);
    expect(await listFirstHundred(listing)).toEqual(all.slice(0, 100));
    expect(await listFirstThirty(listing)).toEqual(all.slice(0, 30));
  });

  it('read comments as long as those of the real GitHub, 3 KB each', async () => {
    const answer = await fetch(
      `${listing.baseUrl}/repos/${repository}/issues/${listing.number}/comments?per_page=100`,
      { headers: { authorization: `Bearer ${listing.token}` } },
    );
    expect((await answer.text()).length / 100).toBeCloseTo(3030, -2);
  });
});
