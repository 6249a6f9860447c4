import { createMemoryPlatform } from '@agent/platforms/memory';
import { createMemorySharedAnswers, createMemorySharedUse, type SharedUse } from '@agent/platforms/sources';
import { describe, expect, it } from 'vitest';
import { createCommentFeeds, toGitToken } from './connect-platforms.ts';

const token = 'token-of-the-agent';

/** Feeds of several processes, and the keys that they report under. */
function createProcesses() {
  const world = createMemorySharedUse({ now: Date.now });
  const keys: string[] = [];
  const start = (credential: readonly string[]) => {
    const { exchange } = world.join();
    const use: SharedUse = {
      exchange: (key, report) => {
        keys.push(key);
        return exchange(key, report);
      },
    };
    const shared = { use, answers: createMemorySharedAnswers() };
    return createCommentFeeds({}, { shared, credential });
  };
  return { start, keys };
}

describe('feeds of comments in several processes', () => {
  it('share the limits of one credential by its fingerprint, and those of another not [NX-155]', async () => {
    const { start, keys } = createProcesses();
    const credential = ['https://api.github.com', token];
    const [one, two, other] = [
      start(credential),
      start(credential),
      start(['https://api.github.com', 'other']),
    ];
    const limits = {
      primary: { limit: 5_000, remaining: 0, resetAt: Date.now() + 3_600_000 },
      retryAfterMs: null,
    };
    one.onRequest({ method: 'GET', route: 'GET /user', status: 200, counted: true, limits });
    // The first question has the others asked, and the next one knows.
    for (const feeds of [two, other]) feeds.runHolds(0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(two.runHolds(0)[0]?.waitMs).toBeGreaterThan(3_000_000);
    expect(other.runHolds(0)).toEqual([]);
    expect(new Set(keys).size).toBe(2);
    expect(keys.join()).toMatch(/^[0-9a-f,]+$/);
  });
});

describe('toGitToken', () => {
  const platform = {
    ...createMemoryPlatform(),
    gitCredential: async () => ({ username: 'oauth2', password: token }),
  };

  it('gives the login of the platform, and reports its password before it is used', async () => {
    const issued: string[] = [];
    const ask = toGitToken(platform, ({ value }) => void issued.push(value));
    const login = { username: 'oauth2', token };
    expect(await ask({ cloneUrl: 'https://git.example.com/a/b.git' })).toEqual(login);
    expect(await ask({ cloneUrl: 'http://127.0.0.1:8080/a/b.git' })).toEqual(login);
    expect(issued).toEqual([token, token]);
  });

  it('gives no login to a server without TLS, and none for a platform that has none', async () => {
    for (const cloneUrl of ['http://git.example.com/a/b.git', 'http://127.0.0.1.example.com/a.git', ''])
      expect(await toGitToken(platform)({ cloneUrl })).toBeNull();
    expect(
      await toGitToken(createMemoryPlatform())({ cloneUrl: 'https://git.example.com/a/b.git' }),
    ).toBeNull();
  });
});
