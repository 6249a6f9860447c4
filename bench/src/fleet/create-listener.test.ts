import { PlatformError } from '@agent/platforms';
import { describe, expect, it } from 'vitest';
import { createListener } from './create-listener.ts';

const comment = (id: string) => ({
  id,
  author: null,
  body: 'text',
  createdAt: '2026-03-01T00:00:00Z',
  updatedAt: null,
  url: null,
  visibility: 'public' as const,
  subject: null,
});

describe('createListener', () => {
  it('tells of each comment once, and not within a second of the last look', async () => {
    const clock = { time: 0 };
    const asked: (string | null)[] = [];
    const comments = [comment('1')];
    const listener = createListener(
      {
        listComments: async ({ since }) => {
          asked.push(since);
          return { comments, complete: true, cursor: 'here', unchanged: false };
        },
      },
      clock,
    );
    expect(await listener.check()).toEqual(['1']);
    comments.push(comment('2'));
    clock.time = 999;
    expect(await listener.check()).toBeNull();
    clock.time = 1000;
    expect(await listener.check()).toEqual(['2']);
    expect(asked).toEqual([null, 'here']);
  });

  it('stays away as long as a limit asks for, and ever longer after other failures', async () => {
    const clock = { time: 0 };
    const looks: number[] = [];
    let retryAfterMs: number | undefined = 20_000;
    const listener = createListener(
      {
        listComments: async () => {
          looks.push(clock.time);
          const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
          retryAfterMs = undefined;
          throw new PlatformError('refused', { code: 'rate-limited', ...wait });
        },
      },
      clock,
    );
    for (; clock.time < 60_000; clock.time += 500) expect(await listener.check()).toBeNull();
    expect(looks).toEqual([0, 20_000, 22_000, 26_000, 34_000, 50_000]);
  });
});
