import { describe, expect, it } from 'vitest';
import { findNextPage } from './next-page.ts';

const base = 'https://github.example.com/api/v3';

describe('findNextPage', () => {
  it('follows rel="next" and ends where there is none', () => {
    const next = `${base}/repositories/1/issues/2/comments?per_page=100&page=2`;
    expect(
      findNextPage(
        `<${base}/x?page=1>; rel="prev", <${next}>; rel="next", <${base}/x?page=9>; rel="last"`,
        base,
      ),
    ).toBe(next);
    expect(findNextPage(`<${base}/x?page=1>; rel="first"`, base)).toBeNull();
    expect(findNextPage(undefined, base)).toBeNull();
  });

  it('takes the token to no other host', () => {
    expect(() => findNextPage('<https://evil.example/x?page=2>; rel="next"', base)).toThrowError(
      expect.objectContaining({ code: 'unavailable', message: expect.stringContaining('baseUrl') }),
    );
  });
});
