import { describe, expect, it } from 'vitest';
import { findNextPage, parseLinkHeader } from './page-links.ts';

const asked = (query: string, { count = 100, total = null as number | null, number = 1 } = {}) => ({
  service: 'GitLab',
  query: new URLSearchParams(query),
  ...{ number, count, total },
});
const linked = (query: string) => new URL(`https://git.example/api?${query}`);
const text = (query: URLSearchParams | null) => query?.toString() ?? null;

describe('parseLinkHeader', () => {
  it('reads entries in any order, with several relations, other parameters and without quotes', () => {
    const header =
      '<https://a.example/?x=1,2&page=9>; title="the last, really"; rel="last end", </b>;REL=Next';
    expect(Object.fromEntries(parseLinkHeader(header, 'GitHub'))).toEqual({
      last: 'https://a.example/?x=1,2&page=9',
      end: 'https://a.example/?x=1,2&page=9',
      next: '/b',
    });
    expect(parseLinkHeader(null, 'GitHub').size).toBe(0);
  });

  it.each(['page 2', '<https://a.example/?page=2>', '<https://a.example/?page=2>; rel="ne'])(
    'fails on %j, which could name a next page',
    (header) => {
      expect(() => parseLinkHeader(header, 'GitHub')).toThrowError(
        expect.objectContaining({ code: 'unavailable' }),
      );
    },
  );
});

describe('findNextPage', () => {
  it('follows every kind of place that a server links, and keeps the filters', () => {
    const first = asked('state=all&per_page=100&page=1');
    expect(text(findNextPage(linked('page=2&per_page=100'), first))).toBe('state=all&per_page=100&page=2');
    for (const place of ['cursor=abc', 'page_token=src%2Fa.ts', 'id_after=42'])
      expect(text(findNextPage(linked(place), first))).toBe(`state=all&per_page=100&${place}`);
  });

  it.each(['page=1', 'per_page=100', 'page=x', ''])('fails on a link to %j', (query) => {
    expect(() => findNextPage(linked(query), asked('per_page=100&page=1'))).toThrowError(
      /unknown next page/u,
    );
  });

  it('continues after a full page that the total does not end, and after a short one while the total is higher', () => {
    expect(text(findNextPage(null, asked('per_page=100&page=2', { number: 2 })))).toBe('per_page=100&page=3');
    expect(text(findNextPage(null, asked('per_page=100', { count: 99, total: 101 })))).toBe(
      'per_page=100&page=2',
    );
    const keyset = asked('pagination=keyset&per_page=100&page_token=a', { number: 3 });
    expect(text(findNextPage(null, keyset))).toBe('per_page=100&page=4');
  });

  it('ends after a short page, an empty page, and a list without pages', () => {
    expect(findNextPage(null, asked('per_page=100', { count: 99, total: 99 }))).toBeNull();
    expect(findNextPage(null, asked('per_page=100', { count: 0, total: 900 }))).toBeNull();
    expect(findNextPage(null, asked('per_page=100', { count: 100, total: 100 }))).toBeNull();
    expect(findNextPage(null, asked('ref=heads', { count: 500 }))).toBeNull();
  });

  it('continues after a short page of a server that leaves out items after cutting pages, until its headers end the list', () => {
    const short = { ...asked('per_page=100&page=2', { number: 2, count: 98 }) };
    const next = 'per_page=100&page=3';
    expect(text(findNextPage(null, { ...short, stated: 3 }))).toBe(next);
    expect(text(findNextPage(null, { ...short, stated: null }))).toBe(next);
    expect(text(findNextPage(null, { ...short, count: 0, total: 201, stated: 0 }))).toBe(next);
    expect(findNextPage(null, { ...short, stated: 0 })).toBeNull();
    expect(findNextPage(null, { ...short, count: 0, stated: null })).toBeNull();
    const keyset = asked('pagination=keyset&per_page=100', { count: 98 });
    expect(findNextPage(null, { ...keyset, stated: null })).toBeNull();
  });
});
