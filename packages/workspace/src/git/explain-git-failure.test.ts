import { expect, it } from 'vitest';
import { explainGitFailure } from './explain-git-failure.ts';

it.each([
  ['fatal: Authentication failed for https://x', 'unauthorized', 'Set a valid token'],
  ['fatal: could not read Password for x: terminal prompts disabled', 'unauthorized', 'Set a valid token'],
  [
    'fatal: unable to access https://x: The requested URL returned error: 403',
    'forbidden',
    'contents: write',
  ],
  [
    'remote: You are not allowed to push code to this project.\nfatal: The requested URL returned error: 403',
    'forbidden',
    'role Developer',
  ],
  [
    'remote: GitLab: You are not allowed to push code to protected branches on this project.',
    'push-rejected',
    'commits are kept',
  ],
  ["remote: Repository not found.\nfatal: repository 'https://x/' not found", 'not-found', 'Check the name'],
  ['fatal: unable to access https://x: The requested URL returned error: 503', 'unavailable', 'tried again'],
  ['fatal: unable to access https://x: Could not resolve host: x', 'unavailable', 'tried again'],
  [
    'fatal: unable to access https://x: SSL certificate problem: self signed',
    'unavailable',
    'never turned off',
  ],
  [
    'fatal: unable to access https://x: OpenSSL/3.5.0: error:0A00010B:SSL routines::wrong version number',
    'unavailable',
    'begins with http://',
  ],
  ['error: RPC failed; curl 92\nfatal: the remote end hung up unexpectedly', 'unavailable', 'tried again'],
  ['fatal: write error: No space left on device', 'storage-full', 'Free space'],
  ...['a GitHub App', 'an OAuth App', 'a Personal Access Token'].map((who, at): [string, string, string] => {
    const lacks = at === 0 ? '`workflows` permission' : '`workflow` scope';
    return [
      `!\tHEAD:refs/heads/a\t[remote rejected] (refusing to allow ${who} to create or update workflow \`.github/workflows/ci.yml\` without ${lacks})`,
      'forbidden',
      'workflows: write',
    ];
  }),
  ['! refs/heads/a [remote rejected] (protected branch hook declined)', 'push-rejected', 'commits are kept'],
  [
    "! refs/heads/a/b [remote rejected] (cannot lock ref 'refs/heads/a/b': 'refs/heads/a' exists; cannot create 'refs/heads/a/b')",
    'push-rejected',
    'set branch_prefix',
  ],
  ['! refs/heads/a/b [remote rejected] (directory file conflict)', 'push-rejected', 'set branch_prefix'],
  ['fatal: something never seen', 'git-failed', 'See what git said'],
])('explains %j as %s [NX-251]', (stderr, code, advice) => {
  const error = explainGitFailure({ doing: 'Fetching a/b', stderr, fallback: 'git-failed' });
  expect(error).toMatchObject({ code, message: expect.stringContaining(advice) });
  expect(error.message).toMatch(/^Fetching a\/b failed\. .*\(git: /);
});

it('keeps the end of what git said, within bounds', () => {
  const stderr = Array.from({ length: 500 }, (_, index) => `line ${index} ${'x'.repeat(300)}`).join('\n');
  const { message } = explainGitFailure({ doing: 'Pushing', stderr, fallback: 'git-failed' });
  expect(message).toContain('line 494');
  expect(message.length).toBeLessThan(1000);
});
