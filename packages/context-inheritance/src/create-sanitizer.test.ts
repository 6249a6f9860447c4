import { describe, expect, it } from 'vitest';
import { createSanitizer } from './create-sanitizer.ts';

const nobody = { users: [], hostnames: [] };
const sanitize = createSanitizer({ secrets: ['correct horse "battery"', 'short'] });
// Put together here, so that scanners of this repository find nothing.
const join = (...parts: readonly string[]) => parts.join('');

describe('text of an earlier run', () => {
  it.each([
    ['a GitHub token', join('ghp', '_', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5')],
    ['a fine-grained GitHub token', join('github', '_pat_', '11AAAAAAA0', 'x'.repeat(40))],
    ['a GitLab token', join('glpat', '-', 'x9Yz8Wv7Ut6Sr5Qp4On3')],
    ['a key of a model provider', join('sk', '-proj-', 'a1B2c3D4e5F6g7H8i9J0')],
    ['an AWS key', join('AKIA', 'IOSFODNN7ABCDEFG')],
    ['a Slack token', join('xoxb', '-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx')],
    ['an npm token', join('npm', '_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8')],
  ])('loses %s [CI-58, C12]', async (_, secret) => {
    expect(await sanitize(`要約: ${secret} を使った`, nobody)).toBe('要約: [REDACTED] を使った');
  });

  it('loses what stands where secrets stand, and keeps what says so [CI-58, C12]', async () => {
    const header = join('Authorization: Bearer', ' eyJhbGciOiJIUzI1NiJ9.e30.abcdefgh');
    expect(await sanitize(header, nobody)).toBe('Authorization: Bearer [REDACTED]');
    expect(await sanitize('password=hunter22, next', nobody)).toBe('password=[REDACTED], next');
    expect(await sanitize('"password": "hunter22"', nobody)).toBe('"password": "[REDACTED]"');
    expect(await sanitize('パスワード：ひみつのことば。次', nobody)).toBe('パスワード：[REDACTED]。次');
    expect(await sanitize('git clone https://bot:p4ss@git.example/x', nobody)).toBe(
      'git clone https://[REDACTED]@git.example/x',
    );
    const key = `${join('-----BEGIN', ' RSA PRIVATE KEY-----')}\nMIIEow\n${join('-----END', ' RSA PRIVATE KEY-----')}`;
    expect(await sanitize(`before\n${key}\nafter`, nobody)).toBe('before\n[REDACTED]\nafter');
  });

  it('loses the secrets of this process, in every spelling; short words stay [CI-58]', async () => {
    const secret = 'correct horse "battery"';
    for (const spelling of [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
    ]) {
      expect(await sanitize(`<${spelling}>`, nobody)).toBe('<[REDACTED]>');
    }
    expect(await sanitize('a short text', nobody)).toBe('a short text');
  });

  it('loses e-mail addresses, home directories, users and machines [CI-56, C12]', async () => {
    const people = { users: ['mona', 'al'], hostnames: ['builder-7'] };
    const text = 'mona (mona@example.org, @mona, @al) on builder-7 in /home/mona/x; see octo/mona and pal.';
    expect(await sanitize(text, people)).toBe(
      '[USER] ([EMAIL], @[USER], @[USER]) on [HOST] in /home/[USER]/x; see octo/mona and pal.',
    );
    expect(await sanitize('git@github.com:octo/cat.git', people)).toBe('git@github.com:octo/cat.git');
  });

  it('stays as it is otherwise', async () => {
    const text = '## 要約\n- `sortPages` は安定。\n\n```ts\nconst token = next();\n```\n';
    expect(await sanitize(text, nobody)).toBe(text);
    expect(await sanitize('', nobody)).toBe('');
  });

  it('goes through the cleaning that the application brings', async () => {
    const clean = createSanitizer({ cleanText: (text) => text.replaceAll('\u200b', '') });
    expect(await clean(join('gh\u200bp', '_', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'), nobody)).toBe(
      '[REDACTED]',
    );
  });
});
