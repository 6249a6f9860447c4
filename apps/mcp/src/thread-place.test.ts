import { describe, expect, it } from 'vitest';
import { parseThreadPlace } from './thread-place.ts';

describe('parseThreadPlace', () => {
  it("reads pages of GitHub and GitLab, also of servers of one's own [NX-266]", () => {
    expect(parseThreadPlace({ thread: 'https://github.com/octo/hello/pull/7' })).toEqual({
      platform: 'github',
      baseUrl: 'https://api.github.com',
      repository: 'octo/hello',
      key: { type: 'github_pull_request', owner: 'octo', repo: 'hello', number: 7 },
    });
    expect(
      parseThreadPlace({ thread: 'https://git.example/octo/hello/issues/7#issuecomment-1' }),
    ).toMatchObject({
      baseUrl: 'https://git.example/api/v3',
      key: { type: 'github_issue' },
    });
    expect(parseThreadPlace({ thread: 'https://gitlab.com/a/b/c/-/merge_requests/9' })).toEqual({
      platform: 'gitlab',
      baseUrl: 'https://gitlab.com',
      project: 'a/b/c',
      kind: 'merge_requests',
      iid: 9,
    });
    expect(parseThreadPlace({ thread: 'custom:tracker:p:1', adapter: './a.mjs' })).toMatchObject({
      platform: 'adapter',
      key: { type: 'custom', platform: 'tracker' },
    });
  });

  it.each([
    '',
    'octo/hello#7',
    'file:///octo/hello/issues/7',
    'https://github.com/octo/hello',
    'https://github.com/a/b/issues/x',
  ])('says what the page of a thread looks like instead of %j', (thread) => {
    expect(() => parseThreadPlace({ thread })).toThrow(/is not the URL of an issue/);
  });
});
