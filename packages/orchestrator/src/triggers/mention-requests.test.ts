import { createMemoryPlatform, PlatformError, type TaskListing } from '@agent/platforms';
import { expect, it } from 'vitest';
import type { MentionRecord } from './mention-ledger.ts';
import { createMentionTrigger } from './mention-trigger.ts';

/** A trigger of mentions, and what it asked for at its last poll. */
function setUp({ failures = [] }: Partial<Pick<TaskListing, 'failures'>> = {}) {
  const clock = { ms: Date.parse('2026-03-01T10:00:00Z') };
  const platform = createMemoryPlatform({ now: () => new Date(clock.ms) });
  const asked: string[] = [];
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
      return { ...(await platform.tasks.listTasks(query)), failures };
    },
  };
  const openThread: typeof platform.openThread = (key) =>
    platform.openThread(key, { onRequest: ({ route }) => asked.push(route) });
  const options = { store, now: () => clock.ms, places: ['octo/hello', 'octo/gone'] };
  const trigger = createMentionTrigger({ ...platform, tasks, openThread }, options);
  return {
    people: platform.people,
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
