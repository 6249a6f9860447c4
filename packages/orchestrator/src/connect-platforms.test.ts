import { createMemorySharedAnswers, createMemorySharedUse, type SharedUse } from '@agent/platforms/sources';
import { describe, expect, it } from 'vitest';
import { createCommentFeeds } from './connect-platforms.ts';

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
    for (const feeds of [two, other]) feeds.runWaitMs(0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(two.runWaitMs(0)).toBeGreaterThan(3_000_000);
    expect(other.runWaitMs(0)).toBe(0);
    expect(new Set(keys).size).toBe(2);
    expect(keys.join()).toMatch(/^[0-9a-f,]+$/);
  });
});
