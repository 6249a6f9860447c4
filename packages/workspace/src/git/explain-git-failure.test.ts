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
    'forbidden',
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

it.each([
  [
    'remote: error: GH013: Repository rule violations found for refs/heads/agent/1.        \nremote: Review all repository rules at https://github.com/a/b/rules?ref=refs%2Fheads%2Fagent%2F1        \nremote: \nremote: - Commits must have verified signatures.        \nremote: - Branch name must match a pattern.\nremote: \nTo https://github.com/a/b\n ! [remote rejected] HEAD -> agent/1 (push declined due to repository rule violations)\nerror: failed to push some refs',
    'The server refused the push: Commits must have verified signatures. Branch name must match a pattern.',
  ],
  [
    'remote: error: GH006: Protected branch update failed for refs/heads/main.\nremote: error: Changes must be made through a pull request.\n ! [remote rejected] main -> main (protected branch hook declined)',
    'The server refused the push: Changes must be made through a pull request.',
  ],
  [
    "remote: GitLab: Branch name 'agent/1' does not follow the pattern '^feature/'\n ! [remote rejected] agent/1 -> agent/1 (pre-receive hook declined)",
    "The server refused the push: Branch name 'agent/1' does not follow the pattern '^feature/'",
  ],
])('names the rules of %j', (stderr, expected) => {
  const error = explainGitFailure({ doing: 'Pushing', stderr, fallback: 'git-failed' });
  expect(error).toMatchObject({ code: 'forbidden', message: expect.stringContaining(expected) });
});
