import { type PlaceFailure, PlatformError, type TaskListing } from '@agent/platforms';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { expect, it } from 'vitest';
import type { MentionRecord } from './mention-ledger.ts';
import { createMentionTrigger } from './mention-trigger.ts';

/** A trigger of mentions, and what it asked for at its last poll. */
function setUp({
  failures = [],
  places = ['octo/hello', 'octo/gone'],
}: Partial<Pick<TaskListing, 'failures'>> & { readonly places?: readonly string[] } = {}) {
  const clock = { ms: Date.parse('2026-03-01T10:00:00Z') };
  const platform = createMemoryPlatform({ now: () => new Date(clock.ms) });
  const asked: string[] = [];
  const listed: number[] = [];
  let kept: MentionRecord | null = null;
  const store = {
    read: async () => kept,
    write: async (record: MentionRecord) => {
      kept = record;
    },
  };
  const tasks: typeof platform.tasks = {
    listTasks: async (query) => {
      asked.push('listTasks');
      const { tasks } = await platform.tasks.listTasks(query);
      listed.push(tasks.length);
      return { tasks, failures };
    },
  };
  const openThread: typeof platform.openThread = (key) =>
    platform.openThread(key, { onRequest: ({ route }) => asked.push(route) });
  let placeReads = 0;
  const readPlaces = () => {
    placeReads += 1;
    return places;
  };
  const options = { store, now: () => clock.ms, places: readPlaces };
  const trigger = createMentionTrigger({ ...platform, tasks, openThread }, options);
  return {
    people: platform.people,
    platform,
    trigger,
    listed,
    kept: () => kept,
    placeReads: () => placeReads,
    pass: (seconds: number) => {
      clock.ms += seconds * 1_000;
    },
    poll: async () => {
      asked.length = 0;
      await trigger.listWaiting();
      return asked;
    },
  };
}

it('asks for one list where nothing changed, and for the comments of a thread that did [NX-73]', async () => {
  const { people, pass, poll } = setUp();
  const key = people.openIssue({ author: 'bob', title: 'T', body: 'B' });
  pass(3_600);
  const say = (body: string) => people.comment(key, { author: 'bob', body });
  say('news');
  expect(await poll()).toEqual(['listTasks', 'readThread', 'listComments']);
  pass(100);
  expect(await poll()).toEqual(['listTasks', 'listComments']);
  expect(await poll()).toEqual(['listTasks']);
  say('more news');
  expect(await poll()).toEqual(['listTasks', 'listComments']);
});

it('asks for no more while one place of many threads is gone [NX-73]', async () => {
  const error = new PlatformError('gone', { code: 'not-found' });
  const { people, pass, poll } = setUp({ failures: [{ place: 'octo/gone', error }] });
  for (let number = 0; number < 510; number += 1)
    people.openIssue({ author: 'bob', title: 'Other', body: '' });
  await poll();
  pass(100);
  await poll();
  expect(await poll()).toEqual(['listTasks']);
  expect(await poll()).toEqual(['listTasks']);
});

it('lists no thread again for ever because another place is gone [NX-73]', async () => {
  const error = new PlatformError('gone', { code: 'not-found' });
  const { people, pass, poll, listed, kept } = setUp({ failures: [{ place: 'octo/gone', error }] });
  await poll();
  for (let number = 0; number < 30; number += 1) {
    people.openIssue({ author: 'bob', title: 'Other', body: '' });
    pass(10);
  }
  await poll();
  pass(100);
  await poll();
  await poll();
  expect(listed.slice(0, 3)).toEqual([0, 30, 30]);
  expect(listed.at(-1)).toBeLessThan(10);
  expect(Object.keys(kept()?.places ?? {})).toEqual(['octo/hello']);
});

it('asks a place that comes back for what changed since it was read [NX-73]', async () => {
  const failures: PlaceFailure[] = [];
  const { people, pass, poll, kept } = setUp({ failures });
  await poll();
  const before = kept()?.places['octo/gone']?.polled_until;
  failures.push({ place: 'octo/gone', error: new PlatformError('gone', { code: 'forbidden' }) });
  for (let number = 0; number < 30; number += 1)
    people.openIssue({ author: 'bob', title: 'Other', body: '' });
  pass(100);
  await poll();
  pass(100);
  await poll();
  expect(kept()?.places['octo/gone']?.polled_until).toBe(before);
  expect(kept()?.places['octo/hello']?.polled_until).not.toBe(before);
});

it('keeps the time of a place that stands for several while one of them is gone [NX-73]', async () => {
  const failures: PlaceFailure[] = [];
  const { people, pass, poll, kept } = setUp({ failures, places: [''] });
  await poll();
  const before = kept()?.places[''];
  failures.push({ place: 'octo/gone', error: new PlatformError('gone', { code: 'forbidden' }) });
  for (let number = 0; number < 30; number += 1)
    people.openIssue({ author: 'bob', title: 'Other', body: '' });
  await poll();
  pass(100);
  await poll();
  expect(kept()?.places['']).toEqual(before);
});

it('remembers no thread for ever because a mention was refused there [NX-73]', async () => {
  const { platform, people, trigger, pass, poll } = setUp({ places: ['octo/hello'] });
  const key = people.openIssue({ author: 'bob', title: 'T', body: 'B' });
  pass(3_600);
  await poll();
  people.comment(key, { author: 'bob', body: '@agent please' });
  await poll();
  const ports = platform.openThread(key);
  await trigger.claim({ ports, thread: await ports.reader.readThread() });
  await trigger.release(ports);
  pass(3_600);
  for (let number = 0; number < 510; number += 1)
    people.openIssue({ author: 'bob', title: 'Other', body: '' });
  for (let count = 0; count < 4; count += 1) {
    await poll();
    pass(100);
  }
  people.comment(key, { author: 'bob', body: 'news' });
  expect(await poll()).toContain('readThread');
});

it('reads only the comments of a thread that was quiet while a few others changed [NX-73]', async () => {
  const { people, pass, poll } = setUp({ places: ['octo/hello'] });
  const key = people.openIssue({ author: 'bob', title: 'T', body: 'B' });
  pass(3_600);
  await poll();
  people.comment(key, { author: 'bob', body: 'news' });
  await poll();
  pass(100);
  for (let number = 0; number < 30; number += 1)
    people.openIssue({ author: 'bob', title: 'Other', body: '' });
  for (let count = 0; count < 4; count += 1) {
    pass(100);
    await poll();
  }
  people.comment(key, { author: 'bob', body: 'more news' });
  expect(await poll()).toEqual(['listTasks', 'listComments']);
});

it('finds the place of a thread once, however many places there are [NX-73]', async () => {
  const places = Array.from({ length: 100 }, (_, index) => `octo/found-${index}`);
  const { people, poll, placeReads } = setUp({ places: ['octo/hello', ...places] });
  for (let index = 0; index < 20; index += 1)
    people.openIssue({ author: 'bob', title: 'T', body: `B ${index}` });
  await poll();
  expect(placeReads()).toBeLessThan(10 * 20);
});
