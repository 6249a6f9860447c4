import { createMemoryPlatform } from '@agent/platforms/memory';
import { expect, it } from 'vitest';
import { createRequestMeter, listWholeThread } from './run-thread.ts';

it('lists every comment also where the run has listed the thread before and nothing has changed', async () => {
  const platform = createMemoryPlatform();
  const key = platform.people.openIssue({ repository: 'octo/hello', author: 'alice', title: 'x' });
  const id = platform.people.comment(key, { author: 'alice', body: 'Round it.' });
  const source = platform.openThread(key).comments;
  await source.listComments({ since: null });
  expect(await source.listComments({ since: null })).toMatchObject({ unchanged: true, comments: [] });

  const meter = createRequestMeter();
  const thread = { platform: { platform }, ports: platform.openThread(key), meter };
  expect(await listWholeThread(thread)).toMatchObject({
    complete: true,
    comments: [{ id, body: 'Round it.' }],
  });
  expect(meter.count()).toEqual({ made: 1, unchanged: 0 });
});
