import { createMemoryPlatform } from '@agent/platforms/memory';
import { describe, expect, it } from 'vitest';
import type { MentionRecord } from './mention-ledger.ts';
import { createMentionTrigger } from './mention-trigger.ts';

/** One thread of an hour ago, and a trigger that was never polled. */
function setUp({ runsHear = true }: { readonly runsHear?: boolean } = {}) {
  const clock = { ms: Date.parse('2026-03-01T10:00:00Z') };
  const platform = createMemoryPlatform({ now: () => new Date(clock.ms) });
  const { people } = platform;
  const key = people.openIssue({ author: 'bob', title: 'T', body: 'B' });
  clock.ms += 3_600_000;
  let kept: MentionRecord | null = null;
  const store = {
    read: async () => kept,
    write: async (record: MentionRecord) => {
      kept = record;
    },
  };
  const asked: (string | null)[] = [];
  const openThread: typeof platform.openThread = (...given) => {
    const ports = platform.openThread(...given);
    const listComments: typeof ports.comments.listComments = (query) => {
      asked.push(query.since);
      return ports.comments.listComments(query);
    };
    return { ...ports, comments: { ...ports.comments, listComments } };
  };
  const open = () =>
    createMentionTrigger({ ...platform, openThread }, { store, now: () => clock.ms, runsHear });
  const ports = platform.openThread(key);
  const world = {
    ...{ people, key, ports, asked },
    trigger: open(),
    restart: () => {
      world.trigger = open();
    },
    pass: (seconds: number) => {
      clock.ms += seconds * 1_000;
    },
    say: (body: string) => {
      world.pass(5);
      return people.comment(key, { author: 'alice', body });
    },
    handled: () => kept?.handled.map(({ id }) => id.split(' ').at(-1)),
    poll: async () => (await world.trigger.listWaiting()).tasks.length,
    claim: async () => world.trigger.claim({ ports, thread: await ports.reader.readThread() }),
    givenBy: async (given: typeof ports = ports) => {
      const events = await world.trigger.signs.listHandovers(given, { since: null });
      return events === 'unknown' ? events : events.map(({ commentId }) => commentId);
    },
    end: async () => {
      await ports.writer.ensureComment({ topic: 'run:1:final', body: 'Done.' });
      await world.trigger.setState(ports, { state: 'completed' });
    },
  };
  return world;
}

async function setUpPolled(options: { readonly runsHear?: boolean } = {}) {
  const world = setUp(options);
  await world.poll();
  return world;
}

describe('what a run is begun for', () => {
  it('stays as it was claimed, and what comes before its first step waits for another [NX-70]', async () => {
    const world = await setUpPolled({ runsHear: false });
    const first = world.say('@agent please');
    expect(await world.claim()).toBe('ours');
    world.say('@agent and also');
    expect(await world.poll()).toBe(1);
    expect(await world.givenBy()).toEqual([first]);
    await world.trigger.setState(world.ports, { state: 'processing' });
    expect(world.handled()).toEqual([first]);
    await world.end();
    expect(await world.poll()).toBe(1);
  });

  it('is found again after a restart, and begins no second run where runs hear nothing [NX-70]', async () => {
    const world = await setUpPolled({ runsHear: false });
    const first = world.say('@agent please');
    await world.claim();
    world.restart();
    expect(await world.givenBy()).toEqual([first]);
    world.restart();
    await world.trigger.setState(world.ports, { state: 'processing' });
    await world.end();
    expect(await world.poll()).toBe(0);
  });

  it('is what stands there when it is claimed, not when it was listed [NX-70]', async () => {
    const world = await setUpPolled();
    const first = world.say('@agent please');
    expect(await world.poll()).toBe(1);
    const second = world.say('@agent and also');
    expect(await world.claim()).toBe('ours');
    expect(await world.givenBy()).toEqual([second, first]);
    await world.trigger.release(world.ports);
    const third = world.say('@agent once more');
    expect(await world.poll()).toBe(1);
    world.people.deleteComment(world.key, third);
    expect(await world.claim()).toBe('theirs');
  });

  it('is told with the newest first, and by its author where nobody can say who edited it [NX-71]', async () => {
    const world = await setUpPolled();
    const [first, second] = [world.say('please'), world.say('@agent too')];
    world.pass(5);
    world.people.editComment(world.key, first, '@agent please');
    await world.claim();
    expect(await world.givenBy()).toEqual([first, second]);
    const history = world.ports.history && { ...world.ports.history, lastCommentEdit: undefined };
    const events = await world.trigger.signs.listHandovers({ ...world.ports, history }, { since: null });
    expect(events).toMatchObject([{ actor: { login: 'alice' } }, { actor: { login: 'alice' } }]);
  });
});

describe('reading a thread', () => {
  it('asks for what changed since the last reading, and for all when it is claimed [NX-73]', async () => {
    const world = await setUpPolled();
    for (const body of ['@agent please', '@agent and also']) {
      world.say(body);
      await world.poll();
    }
    await world.claim();
    expect(world.asked).toEqual([null, expect.any(String), null]);
  });

  it('asks for no comments at the end of a run that hears nothing [NX-73]', async () => {
    for (const [runsHear, readings] of [
      [true, 1],
      [false, 0],
    ] as const) {
      const world = await setUpPolled({ runsHear });
      world.say('@agent please');
      await world.claim();
      await world.trigger.setState(world.ports, { state: 'processing' });
      world.asked.length = 0;
      await world.end();
      expect(world.asked).toHaveLength(readings);
    }
  });

  it('remembers one by one only what the time of the first poll does not tell [NX-70]', async () => {
    const world = setUp();
    world.say('@agent long ago');
    world.pass(5);
    const young = world.say('@agent a little later');
    world.pass(590);
    expect(await world.poll()).toBe(0);
    expect(world.handled()).toEqual([young]);
  });
});
