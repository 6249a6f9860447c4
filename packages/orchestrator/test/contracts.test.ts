import { formatTaskKey, parseTaskKey } from '@agent/platforms';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { runContractCase } from '@agent/platforms/testing';
import type { TaskQueue } from '@agent/run-store';
import { describe, expect, it } from 'vitest';
import {
  createAssignmentTrigger,
  createLabelTrigger,
  createListTrigger,
  createMentionTrigger,
  MemoryTaskQueue,
  type MentionRecord,
  type QueueEntry,
  type TaskTrigger,
} from '../src/index.ts';
import {
  type TaskQueueFixture,
  type TaskTriggerFixture,
  taskQueueCases,
  taskQueueContract,
  taskTriggerCases,
  taskTriggerContract,
} from '../src/testing/index.ts';

const labels = {
  waiting: 'agent',
  processing: 'agent works',
  completed: 'agent done',
  failed: 'agent failed',
  paused: 'agent paused',
  stopped: 'agent stopped',
};

type Way = 'label' | 'assignment' | 'mention' | 'list';

/** A platform in memory with one thread, which is given in one of the ways. */
async function createTriggerFixture(way: Way) {
  const clock = { ms: Date.parse('2026-03-01T10:00:00Z') };
  const platform = createMemoryPlatform({ now: () => new Date(clock.ms) });
  const { people } = platform;
  const key = people.openIssue({ author: 'bob', title: 'T', body: 'B' });
  clock.ms += 3_600_000;
  let record: MentionRecord | null = null;
  const store = {
    read: async () => record,
    write: async (next: MentionRecord) => {
      record = next;
    },
  };
  const states = new Map<string, string>();
  const ways: Record<Way, { open: () => TaskTrigger; give: () => void }> = {
    label: {
      open: () => createLabelTrigger(platform, labels),
      give: () => people.setLabels(key, [...people.labelsOn(key), labels.waiting]),
    },
    assignment: {
      open: () => createAssignmentTrigger(platform),
      give: () => people.assign(key, ['agent']),
    },
    mention: {
      open: () => createMentionTrigger(platform, { store, now: () => clock.ms }),
      give: () => void people.comment(key, { author: 'alice', body: '@agent please' }),
    },
    list: {
      open: () =>
        createListTrigger({
          listWaiting: async () =>
            [...states].flatMap(([name, state]) => (state === 'waiting' ? [parseTaskKey(name)] : [])),
          setState: async (thread, state) => void states.set(formatTaskKey(thread), state),
        }),
      give: () => void states.set(formatTaskKey(key), 'waiting'),
    },
  };
  return {
    open: ways[way].open,
    ports: platform.openThread(key),
    give: async () => ways[way].give(),
    passTime: () => {
      clock.ms += 120_000;
    },
    close: async () => {},
  };
}

for (const way of ['label', 'assignment', 'mention', 'list'] as const)
  taskTriggerContract({ name: `the trigger of ${way}`, create: () => createTriggerFixture(way) });

const openQueue = (concurrency: number): TaskQueue<QueueEntry> =>
  new MemoryTaskQueue({ concurrency, sleep: async () => {} });
const createQueueFixture = async () => ({ open: openQueue, reopen: openQueue, close: async () => {} });
taskQueueContract({ name: 'the queue in memory', create: createQueueFixture });

/** Runs all cases, and names those that fail. */
async function listFailed<Fixture>(
  cases: readonly { readonly name: string; readonly run: (fixture: Fixture) => Promise<void> }[],
  create: () => Promise<Fixture & { readonly close: () => Promise<void> }>,
): Promise<readonly string[]> {
  const failed = cases.map((one) =>
    runContractCase(one, create).then(
      () => [],
      () => [one.name],
    ),
  );
  return (await Promise.all(failed)).flat();
}

type SpoilTrigger = (trigger: TaskTrigger) => TaskTrigger;

const wrongTriggers: readonly (readonly [wrong: string, noticedBy: RegExp, spoil: SpoilTrigger])[] = [
  ['claims twice', /begins one run/, (trigger) => ({ ...trigger, claim: async () => 'ours' })],
  ['claims nothing', /is given again/, (trigger) => ({ ...trigger, claim: async () => 'theirs' })],
  ['forgets a release', /back to people/, (trigger) => ({ ...trigger, release: async () => {} })],
  [
    'forgets an end',
    /once and failed/,
    ({ setState, ...trigger }) => ({
      ...trigger,
      setState: async (ports, next) => (next.state === 'failed' ? undefined : setState(ports, next)),
    }),
  ],
  [
    'lists a thread once',
    /until a run begins/,
    (trigger) => {
      const seen = new Set<string>();
      return {
        ...trigger,
        listWaiting: async (options) => {
          const { tasks, failures } = await trigger.listWaiting(options);
          const fresh = tasks.filter(({ key }) => !seen.has(formatTaskKey(key)));
          for (const { key } of fresh) seen.add(formatTaskKey(key));
          return { tasks: fresh, failures };
        },
      };
    },
  ],
  [
    'gives nothing back to itself',
    /gives it back to itself/,
    ({ setState, ...trigger }) => ({
      ...trigger,
      setState: async (ports, next) => (next.state === 'waiting' ? undefined : setState(ports, next)),
    }),
  ],
  [
    'knows nobody',
    /says who gave/,
    (trigger) => ({ ...trigger, signs: { ...trigger.signs, listHandovers: async () => [] } }),
  ],
];

describe('the contract suite of TaskTrigger', () => {
  it.each(wrongTriggers)('notices a trigger that %s [NX-77]', async (_, noticedBy, spoil) => {
    const create = async (): Promise<TaskTriggerFixture & { readonly close: () => Promise<void> }> => {
      const fixture = await createTriggerFixture('assignment');
      return { ...fixture, open: () => spoil(fixture.open()) };
    };
    expect((await listFailed(taskTriggerCases, create)).join('\n')).toMatch(noticedBy);
  });
});

type SpoilQueue = (queue: TaskQueue<QueueEntry>) => TaskQueue<QueueEntry>;

const wrongQueues: readonly (readonly [wrong: string, noticedBy: RegExp, spoil: SpoilQueue])[] = [
  [
    'loses an entry',
    /carried out once/,
    (queue) => {
      let count = 0;
      return {
        ...queue,
        add: async (entry) => {
          count += 1;
          return count === 3 ? 'added' : queue.add(entry);
        },
      };
    },
  ],
  [
    'runs one twice',
    /carried out once/,
    (queue) => ({
      ...queue,
      work: (workOn, options) =>
        queue.work(async (entry, waited) => {
          await workOn(entry, waited);
          return workOn(entry, waited);
        }, options),
    }),
  ],
  [
    'runs two of one thread',
    /two entries of one thread/,
    (queue) => {
      let count = 0;
      return {
        ...queue,
        add: (entry) => {
          count += 1;
          return queue.add({ ...entry, key: `${entry.key} ${count}` });
        },
      };
    },
  ],
  [
    'does not say since when an entry waits',
    /since when/,
    (queue) => ({
      ...queue,
      waiting: async () => (await queue.waiting()).map((entry) => ({ ...entry, since: Number.NaN })),
    }),
  ],
  [
    'opens what is left for later',
    /takes up again/,
    (queue) => ({
      ...queue,
      work: (workOn, options) =>
        queue.work(async (entry, waited) => {
          const result = await workOn(entry, waited);
          return result === 'later' ? 'done' : result;
        }, options),
    }),
  ],
  ['knows nothing of what it has', /knows a thread/, (queue) => ({ ...queue, knows: async () => false })],
  [
    'gives the last out first',
    /first added first/,
    (queue) => {
      const held: QueueEntry[] = [];
      return {
        ...queue,
        add: async (entry) => {
          held.unshift(entry);
          return 'added';
        },
        work: async (workOn, options) => {
          for (const entry of held) await queue.add(entry);
          return queue.work(workOn, options);
        },
      };
    },
  ],
  [
    'carries out twice what was left by an earlier process',
    /when it is closed/,
    (queue) => ({
      ...queue,
      add: async (entry) => {
        await queue.add({ ...entry, key: `${entry.key} of an earlier process` });
        return queue.add(entry);
      },
    }),
  ],
];

describe('the contract suite of TaskQueue', () => {
  it.each(wrongQueues)('notices a queue that %s [NX-77]', async (_, noticedBy, spoil) => {
    const create = async (): Promise<TaskQueueFixture & { readonly close: () => Promise<void> }> => {
      const fixture = await createQueueFixture();
      const open = (concurrency: number) => spoil(fixture.open(concurrency));
      return { ...fixture, open, reopen: open };
    };
    const waiting = listFailed(
      taskQueueCases.filter(({ name }) => noticedBy.test(name)),
      create,
    );
    expect((await waiting).join('\n')).toMatch(noticedBy);
  });
});
