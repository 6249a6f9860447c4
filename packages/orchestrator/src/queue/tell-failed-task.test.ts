import { formatTaskKey } from '@agent/platforms';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { BoardEvent } from '../board/board-event.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { toThreadKey } from './queue-entry.ts';
import { createTellFailedTask } from './tell-failures.ts';

function setUp(title: string) {
  const platform = createMemoryPlatform({ repositories: [{ path: 'acme/shop', files: {} }] });
  const key = platform.people.openIssue({ author: 'ada', title });
  const seen: BoardEvent[] = [];
  const tell = createTellFailedTask({
    platforms: [{ platform }] as unknown as readonly ConfiguredPlatform[],
    locale: 'auto',
    observe: (event) => void seen.push(event),
    logger: pino({ level: 'silent' }),
  });
  const entry = {
    key: toThreadKey(platform.host, formatTaskKey(key)),
    kind: 'new',
    platform: platform.host,
    runId: null,
  } as const;
  return {
    seen,
    fail: (attempts: number, error: unknown = new Error('The token lacks "contents: write".')) =>
      tell(entry, { error, attempts, nextAt: '2026-03-01T10:00:00Z' }),
    succeed: () => tell(entry, null),
    comments: async () =>
      (await platform.openThread(key).comments.listComments({ since: null })).comments.map(
        ({ body }) => body,
      ),
  };
}

it('a thread is told once, at the fifth failure, why its task cannot be begun; the operator at each [NX-97]', async () => {
  const { seen, fail, succeed, comments } = setUp('The total is wrong');
  for (const attempts of [1, 2, 3, 4]) await fail(attempts);
  expect(await comments()).toEqual([]);
  for (const attempts of [5, 6]) await fail(attempts);
  const [said = '', ...more] = await comments();
  expect(more).toEqual([]);
  expect(said).toContain(`I couldn't start: The token lacks "contents: write".`);
  expect(said).toContain("I'll retry at least once an hour");
  expect(seen).toHaveLength(6);
  expect(seen.at(-1)).toMatchObject({
    ...{ uuid: null, name: 'acme/shop#1' },
    open: { kinds: ['begin'], reason: expect.stringContaining('attempts: 6, next: 2026-03-01T10:00:00Z') },
  });
  await succeed();
  expect(seen.at(-1)).toMatchObject({ type: 'outbox', open: null });
});

it('it is told in its own language [NX-97]', async () => {
  const { fail, comments } = setUp('合計が間違っています');
  await fail(5);
  expect((await comments())[0]).toContain('作業を始められませんでした');
});

it('what is transient is not the matter of the thread [NX-97]', async () => {
  const { seen, fail, comments } = setUp('The total is wrong');
  await fail(5, Object.assign(new Error('down'), { code: 'unavailable' }));
  expect([await comments(), seen.length]).toEqual([[], 1]);
});
