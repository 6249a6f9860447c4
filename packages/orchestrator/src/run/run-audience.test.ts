import { createMemoryRunState } from '@agent/run-store/testing';
import { expect, it } from 'vitest';
import { createRunAudience, overheardBy } from './run-thread.ts';

it('a run that heard an internal note stays internal, also after a restart and when the note is deleted [NX-27]', async () => {
  const state = createMemoryRunState();
  const audience = createRunAudience(state);
  await audience.hear([{ visibility: 'public' }]);
  expect(await audience.isInternal()).toBe(false);
  await audience.hear([{ visibility: 'public' }, { visibility: 'internal' }]);
  await audience.hear([]);
  expect(await audience.isInternal()).toBe(true);
  expect(await createRunAudience(state).isInternal()).toBe(true);
});

it('a run that takes over what such a run left is internal too, and so on [NX-27]', async () => {
  const [first, second, third] = [createMemoryRunState(), createMemoryRunState(), createMemoryRunState()];
  const audience = createRunAudience(second);
  expect(await audience.inherit([first])).toBe(false);
  await createRunAudience(first).hear([{ visibility: 'internal' }]);
  expect(await audience.isInternal()).toBe(false);
  expect(await audience.inherit([third, first])).toBe(true);
  expect(await createRunAudience(second).isInternal()).toBe(true);
  expect(await createRunAudience(third).inherit([second])).toBe(true);
});

it('is known before whoever listed the note gets to see it [NX-27]', async () => {
  const state = createMemoryRunState();
  const audience = createRunAudience(state);
  const times = { createdAt: '2026-01-01T00:00:00Z', updatedAt: null };
  const note = {
    id: '1',
    author: null,
    body: 'for few',
    ...times,
    url: null,
    visibility: 'internal',
    subject: null,
  } as const;
  const listing = { comments: [note], complete: true, cursor: null, unchanged: false };
  const source = overheardBy(audience, { close: () => {}, listComments: async () => listing });
  expect(await source.listComments({ since: null })).toBe(listing);
  expect(await createRunAudience(state).isInternal()).toBe(true);
});
