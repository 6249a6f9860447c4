import { expect, it } from 'vitest';
import type { BoardEvent } from '../board/board-event.ts';
import { silentLogger } from '../ports.ts';
import { Holds } from '../state/holds.ts';
import { openWorkQueue } from './open-work-queue.ts';
import type { QueueEntry } from './task-queue.ts';

it('a task that begins tells how long it waited in the queue [NX-440]', async () => {
  const time = { ms: 10_000 };
  const now = () => time.ms;
  const events: BoardEvent[] = [];
  const queue = openWorkQueue(
    { sharing: null },
    {
      platforms: [],
      ...{ readConcurrency: () => 1, once: false, logger: silentLogger },
      ...{ holdBack: () => null, isPaused: async () => false, isHurried: () => false },
      clock: { now, sleep: async () => {} },
      observe: (event) => events.push(event),
      holds: new Holds({ now, logger: silentLogger, onChange: () => {} }),
    },
  );
  const toEntry = (number: number, kind: QueueEntry['kind']): QueueEntry => ({
    ...{ key: `forge.test github_issue:acme:shop:${number}`, kind, platform: 'forge.test' },
    runId: kind === 'new' ? null : 'r',
  });
  await queue.add(toEntry(1, 'new'));
  time.ms += 5_000;
  await queue.add(toEntry(2, 'retry'));
  expect((await queue.waiting()).map(({ kind, since }) => [kind, since])).toEqual([
    ['retry', 15_000],
    ['new', 10_000],
  ]);
  time.ms += 60_000;
  await queue.work(async () => 'done', { signal: new AbortController().signal, untilEmpty: true });
  expect(events).toEqual([
    { type: 'queue-begin', kind: 'retry', waitedMs: 60_000 },
    { type: 'queue-begin', kind: 'new', waitedMs: 65_000 },
  ]);
});
