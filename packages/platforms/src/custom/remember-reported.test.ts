import { expect, it } from 'vitest';
import { createMemoryPlatform } from '../memory/create-memory-platform.ts';
import { rememberReported } from './remember-reported.ts';

const query = { label: 'coding agent', assignee: null, state: 'open' } as const;

function make({ labels }: { labels: boolean }) {
  let time = Date.parse('2026-01-02T03:04:05Z');
  const now = () => {
    time += 1_000;
    return new Date(time);
  };
  const memory = createMemoryPlatform({ now });
  const key = memory.people.openIssue({ author: 'alice', title: 'One', labels: ['coding agent'] });
  const { openThread } = memory;
  const platform = rememberReported({
    ...memory,
    openThread: (one, options) => {
      const thread = openThread(one, options);
      return labels ? thread : { ...thread, labels: null };
    },
  });
  const count = async () => (await platform.tasks.listTasks(query)).tasks.length;
  return { memory, key, platform, count };
}

it('leaves out a thread without labels of ours once its run has reported, until something changes on it [NX-9]', async () => {
  const { memory, key, platform, count } = make({ labels: false });
  const { writer } = platform.openThread(key);
  await writer.ensureComment({ topic: 'progress', body: 'half' });
  expect(await count()).toBe(1);
  await writer.ensureComment({ topic: 'run:1:final', body: 'done' });
  expect(await count()).toBe(0);
  const { ownComments } = platform.openThread(key);
  const [, status] = (await ownComments?.list()) ?? [];
  await ownComments?.edit({ id: status?.id ?? '', topic: 'run:1:final', body: 'done at last' });
  expect(memory.people.commentsOn(key)[1]?.body).toContain('done at last');
  expect(await count()).toBe(0);
  memory.people.comment(key, { author: 'alice', body: 'And the other one?' });
  expect(await count()).toBe(1);
});

it('leaves threads whose labels we change to their labels', async () => {
  const { key, platform, count } = make({ labels: true });
  await platform.openThread(key).writer.ensureComment({ topic: 'run:1:final', body: 'done' });
  expect(await count()).toBe(1);
});
