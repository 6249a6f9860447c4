import { describe, expect, it } from 'vitest';
import { findPageLinks } from './github-client.ts';

const base = 'https://github.example.com/api/v3';
const page = (number: number) => `${base}/repositories/1/issues/2/comments?per_page=100&page=${number}`;

describe('findPageLinks', () => {
  it('finds the pages around a page, and null where there is none', () => {
    const link = `<${page(1)}>; rel="prev", <${page(3)}>; rel="next", <${page(9)}>; rel="last"`;
    expect(findPageLinks(link, base)).toEqual({ previous: page(1), next: page(3), last: page(9) });
    const none = { previous: null, next: null, last: null };
    expect(findPageLinks(`<${page(1)}>; rel="first"`, base)).toEqual(none);
    expect(findPageLinks(undefined, base)).toEqual(none);
  });

  it('takes the token to no other host', () => {
    expect(() => findPageLinks('<https://evil.example/x?page=2>; rel="next"', base)).toThrowError(
      expect.objectContaining({ code: 'unavailable', message: expect.stringContaining('baseUrl') }),
    );
  });
});
