import { describe, expect, it } from 'vitest';
import { createRequestSender, findAddedLine, findNextPage } from './send-request.ts';

const base = new URL('https://api.example.org/v4');

describe('findNextPage', () => {
  it.each([
    [
      '<https://api.example.org/v4/a?page=2>; rel="next", <https://x.example/>; rel="last"',
      'https://api.example.org/v4/a?page=2',
    ],
    ['<https://api.example.org/v4/a?page=2>;  rel=next', 'https://api.example.org/v4/a?page=2'],
    ['<https://api.example.org/v4/a?page=1>; rel="prev"', null],
    // The token goes to no other host.
    ['<https://elsewhere.example/a?page=2>; rel="next"', null],
  ])('reads %s', (link, next) => {
    expect(findNextPage(new Headers({ link }), base)).toBe(next);
  });
});

describe('findAddedLine', () => {
  it.each([
    ['@@ -0,0 +1,2 @@\n+one\n+two', 1],
    ['@@ -3,3 +4,4 @@ name\n kept\n-old\n+new\n kept', 5],
    ['@@ -3,2 +3,1 @@\n kept\n-old', null],
    ['', null],
  ])('finds the first added line of %j', (patch, line) => {
    expect(findAddedLine(patch)).toBe(line);
  });
});

describe('createRequestSender', () => {
  const clientOf = (answer: () => Promise<Response>) =>
    createRequestSender(
      {
        ...{ baseUrl: base.href, repository: 'acme/shop', timeoutMs: 1_000, fetch: answer },
        token: async () => 'secret-token',
        signal: new AbortController().signal,
      },
      base.href,
    );

  it('reports what the platform said, and never the token', async () => {
    const { send } = clientOf(async () => Response.json({ message: 'Bad credentials' }, { status: 401 }));
    await expect(send('GET', '/user?secret=1')).rejects.toThrow('GET /user got 401: Bad credentials');
  });

  it.each(['secret\ntoken', 'secret\u0000token', '“secret”'])(
    'sends no request with the token %j, and does not quote it',
    async (token) => {
      let isSent = false;
      const { send } = createRequestSender(
        {
          ...{ baseUrl: base.href, repository: 'acme/shop', timeoutMs: 1_000, token: async () => token },
          fetch: async (_, init) => {
            isSent = true;
            return Response.json({ sent: new Headers(init?.headers).has('authorization') });
          },
          signal: new AbortController().signal,
        },
        base.href,
      );
      const error = await send('GET', '/user').catch((caught: Error) => caught);
      expect(String(error)).toContain('GET /user was not sent');
      expect(String(error)).not.toContain('secret');
      expect(isSent).toBe(false);
    },
  );

  it('reports why there is no answer', async () => {
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const { send } = clientOf(async () => {
      throw new TypeError('fetch failed', { cause });
    });
    await expect(send('GET', '/user')).rejects.toThrow('GET /user got no answer: ECONNREFUSED');
  });

  it('reads a list to its end, at most 50 pages', async () => {
    let asked = 0;
    const link = '<https://api.example.org/v4/a?page=2>; rel="next"';
    const { list } = clientOf(async () => {
      asked += 1;
      return Response.json([asked], { headers: { link } });
    });
    expect(await list('/a')).toHaveLength(50);
  });
});
