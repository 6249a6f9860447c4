import { describe, expect, it } from 'vitest';
import { findLastPage, findNextQuery } from './gitlab-client.ts';

const first = { perPage: 100, page: 1 };
const link = (query: string, rel = 'next') => `<https://gitlab.example/api/v4/x?${query}>; rel="${rel}"`;

describe('findNextQuery', () => {
  it('takes the number of the next page from the address, and nothing else', () => {
    const both = `${link('page=1', 'first')}, ${link('per_page=20&page=3&search=a%3Eb')}`;
    expect(findNextQuery(both, first)).toEqual({ perPage: 100, page: 3 });
    expect(findNextQuery('<http://other.example/?page=2>; rel="next"', first)).toEqual({
      perPage: 100,
      page: 2,
    });
  });

  it('takes the token of a keyset list', () => {
    expect(findNextQuery(link('page=1&page_token=src%2Fa.ts'), first)).toEqual({
      perPage: 100,
      pageToken: 'src/a.ts',
    });
  });

  it.each([null, '', link('page=1', 'first'), link('per_page=20'), link('page=x')])(
    'ends at %j, so that a strange answer is not read for ever',
    (text) => {
      expect(findNextQuery(text, first)).toBeNull();
    },
  );
});

describe('findLastPage', () => {
  it('takes the number of the last page, and null where GitLab does not count', () => {
    expect(findLastPage(`${link('page=2')}, ${link('per_page=20&page=7', 'last')}`)).toBe(7);
    for (const text of [null, '', link('page=2'), link('page=x', 'last')])
      expect(findLastPage(text)).toBeNull();
  });
});
