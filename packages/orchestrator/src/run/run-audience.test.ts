import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRunState } from '@agent/run-store/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRunAudience, overheardBy } from './run-thread.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'run-audience-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it('a run that heard an internal note stays internal, also after a restart and when the note is deleted [NX-27]', async () => {
  const audience = createRunAudience(openRunState(directory));
  await audience.hear([{ visibility: 'public' }]);
  expect(await audience.isInternal()).toBe(false);
  await audience.hear([{ visibility: 'public' }, { visibility: 'internal' }]);
  await audience.hear([]);
  expect(await audience.isInternal()).toBe(true);
  expect(await createRunAudience(openRunState(directory)).isInternal()).toBe(true);
});

it('a run that takes over what such a run left is internal too, and so on [NX-27]', async () => {
  const [second, third] = [join(directory, 'second'), join(directory, 'third')];
  await Promise.all([mkdir(second), mkdir(third)]);
  const audience = createRunAudience(openRunState(second));
  expect(await audience.inherit([openRunState(directory)])).toBe(false);
  await createRunAudience(openRunState(directory)).hear([{ visibility: 'internal' }]);
  expect(await audience.isInternal()).toBe(false);
  expect(await audience.inherit([third, directory].map(openRunState))).toBe(true);
  expect(await createRunAudience(openRunState(second)).isInternal()).toBe(true);
  expect(await createRunAudience(openRunState(third)).inherit([openRunState(second)])).toBe(true);
});

it('is known before whoever listed the note gets to see it [NX-27]', async () => {
  const audience = createRunAudience(openRunState(directory));
  const times = { createdAt: '2026-01-01T00:00:00Z', updatedAt: null };
  const note = {
    id: '1',
    author: null,
    body: 'for few',
    ...times,
    url: null,
    visibility: 'internal',
  } as const;
  const listing = { comments: [note], complete: true, cursor: null, unchanged: false };
  const source = overheardBy(audience, { close: () => {}, listComments: async () => listing });
  expect(await source.listComments({ since: null })).toBe(listing);
  expect(await createRunAudience(openRunState(directory)).isInternal()).toBe(true);
});
