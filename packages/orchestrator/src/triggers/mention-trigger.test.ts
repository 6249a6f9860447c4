import { PlatformError, type TaskKey } from '@agent/platforms';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkHandover } from '../admission/handover.ts';
import { createTrust } from '../thread/trust.ts';
import type { MentionRecord, MentionStore } from './mention-ledger.ts';
import { createMentionTrigger } from './mention-trigger.ts';
import type { TaskState } from './task-trigger.ts';

const policy = { everyone: false, collaborators: true, isNamed: () => false };

function createMemoryStore(): MentionStore & { readonly kept: () => MentionRecord | null } {
  let kept: MentionRecord | null = null;
  return {
    kept: () => kept,
    read: async () => structuredClone(kept),
    write: async (record) => {
      kept = structuredClone(record);
    },
  };
}

/** A platform on which Alice may write and Mallory may not, and a trigger that has polled it once. */
async function setUp(options: { readonly places?: readonly string[]; readonly runsHear?: boolean } = {}) {
  const clock = { ms: Date.parse('2026-03-01T10:00:00Z') };
  const now = () => clock.ms;
  const access = { alice: 'write', bob: 'read', mallory: 'read' } as const;
  const platform = createMemoryPlatform({
    now: () => new Date(clock.ms),
    repositories: [
      { path: 'octo/hello', files: {}, access },
      { path: 'octo/other', files: {}, access },
    ],
  });
  const { people } = platform;
  const key = people.openIssue({ author: 'bob', title: 'T', body: 'B' });
  clock.ms += 3_600_000;
  const store = createMemoryStore();
  const open = (changes: typeof options = {}) => {
    const { places = [''], ...given } = { ...options, ...changes };
    const isIn = (url: string) =>
      places.some((place) => url.includes(place === '' ? '' : `/${place.toLowerCase()}/`));
    const listTasks: typeof platform.tasks.listTasks = async (query) => {
      const { tasks, failures } = await platform.tasks.listTasks(query);
      return { tasks: tasks.filter(({ url }) => isIn(url)), failures };
    };
    const at = { store, now, places: () => places, ...given };
    return createMentionTrigger({ ...platform, tasks: { listTasks } }, at);
  };
  const world = {
    ...{ platform, people, key, store, clock },
    trigger: open(),
    ports: platform.openThread(key),
    pass: (seconds = 5) => {
      clock.ms += seconds * 1_000;
    },
    /** As after a restart. */
    restart: (changes: typeof options = {}) => {
      world.trigger = open(changes);
    },
    say: (author: string, body: string, on: TaskKey = key) => {
      world.pass();
      const id = people.comment(on, { author, body });
      world.pass();
      return id;
    },
    listed: async () => (await world.trigger.listWaiting()).tasks.map(numberOf),
    claim: async () =>
      world.trigger.claim({ ports: world.ports, thread: await world.ports.reader.readThread() }),
    check: async () => {
      const ownAccount = await platform.identity.whoAmI();
      const isTrusted = createTrust({ policy, permissions: world.ports.permissions, ownAccount, now });
      const thread = await world.ports.reader.readThread();
      const listHandovers = (since: string | null) =>
        world.trigger.signs.listHandovers(world.ports, { since });
      return checkHandover({ listHandovers, thread, ownAccount, isTrusted, restored: null });
    },
    begin: async () => {
      expect(await world.claim()).toBe('ours');
      await world.trigger.setState(world.ports, { state: 'processing' });
    },
    end: async (state: TaskState = 'completed') => {
      await world.ports.writer.ensureComment({ topic: `run:${clock.ms}:final`, body: 'Done.' });
      await world.trigger.setState(world.ports, { state });
    },
  };
  await world.trigger.listWaiting();
  world.pass();
  return world;
}

let world: Awaited<ReturnType<typeof setUp>>;
beforeEach(async () => {
  world = await setUp();
});

const numberOf = ({ key }: { readonly key: TaskKey }) => ('number' in key ? key.number : null);

describe('the trigger of mentions', () => {
  it('lists a thread while a mention waits there, and claims it then only [NX-69]', async () => {
    expect(await world.listed()).toEqual([]);
    expect(await world.claim()).toBe('theirs');
    world.say('alice', 'Nobody is called. `@agent`');
    expect(await world.listed()).toEqual([]);
    world.say('alice', '@agent please');
    expect(await world.listed()).toEqual([1]);
    expect(await world.claim()).toBe('ours');
    expect(await world.listed()).toEqual([1]);
  });

  it("finds one in a new thread's own text, of an issue and of a pull request [NX-69]", async () => {
    world.people.openIssue({ author: 'alice', title: 'Two', body: 'cc @Agent' });
    world.people.openPullRequest({ author: 'alice', title: 'Three', body: '@agent', headBranch: 'three' });
    world.people.openIssue({ repository: 'octo/other', author: 'alice', title: 'One', body: '@agent' });
    expect(await world.listed()).toEqual([2, 3, 1]);
  });

  it.each(['agent', 'renovate[bot]'])('hears none of %s [NX-71]', async (author) => {
    world.say(author, '@agent please');
    world.people.openIssue({ author, title: 'Two', body: '@agent' });
    expect(await world.listed()).toEqual([]);
  });

  it('begins one run for a mention, whatever follows on its thread, and after a restart too [NX-70]', async () => {
    const id = world.say('alice', '@agent please');
    await world.begin();
    expect(await world.listed()).toEqual([]);
    world.restart();
    expect(await world.listed()).toEqual([]);
    world.pass();
    await world.end();
    world.people.editComment(world.key, id, '@agent please, a typo');
    world.say('alice', 'Thanks!');
    expect(await world.listed()).toEqual([]);
    world.restart();
    expect(await world.listed()).toEqual([]);
  });

  it('still knows of a mention that waited when the process died [NX-70]', async () => {
    world.say('alice', '@agent please');
    expect(await world.listed()).toEqual([1]);
    world.restart();
    expect(await world.listed()).toEqual([1]);
    for (let number = 0; number < 30; number += 1)
      world.people.openIssue({ author: 'bob', title: 'Other', body: '' });
    world.pass(3_600);
    world.say('bob', 'news');
    expect(await world.listed()).toEqual([1]);
    world.restart();
    expect(await world.listed()).toEqual([1]);
  });

  it('still knows of it when everything came to rest while other threads changed [NX-70]', async () => {
    world.say('alice', '@agent please');
    world.pass(200);
    for (let number = 0; number < 30; number += 1)
      world.people.openIssue({ author: 'bob', title: 'Other', body: '' });
    for (let poll = 0; poll < 3; poll += 1) {
      expect(await world.listed()).toEqual([1]);
      world.pass(100);
    }
    world.restart();
    expect(await world.listed()).toEqual([1]);
  });

  it('forgets a mention that an edit takes back [NX-70]', async () => {
    const id = world.say('alice', '@agent please');
    expect(await world.listed()).toEqual([1]);
    world.people.editComment(world.key, id, 'Never mind.');
    world.pass();
    expect(await world.listed()).toEqual([]);
  });

  it('takes what a run that died before its first step was begun for as handled when it resumes [NX-70]', async () => {
    world.say('alice', '@agent please');
    await world.claim();
    world.restart();
    await world.trigger.setState(world.ports, { state: 'processing' });
    expect(await world.listed()).toEqual([]);
  });

  it.each<TaskState>(['completed', 'failed', 'stopped'])(
    'takes a mention while a run works for a comment, and one after its end for a task: %s [NX-72]',
    async (state) => {
      world.say('alice', '@agent please');
      await world.begin();
      world.say('alice', '@agent and also');
      await world.end(state);
      expect(await world.listed()).toEqual([]);
      world.say('alice', '@agent once more');
      expect(await world.listed()).toEqual([1]);
    },
  );

  it('begins another run for what was said while one worked that hears nothing [NX-72]', async () => {
    world = await setUp({ runsHear: false });
    world.say('alice', '@agent please');
    await world.begin();
    world.say('alice', '@agent and also');
    await world.end();
    expect(await world.listed()).toEqual([1]);
  });

  it('begins another run for a mention that came before the end could be shown [NX-72]', async () => {
    world.say('alice', '@agent please');
    await world.begin();
    await world.ports.writer.ensureComment({ topic: 'run:1:final', body: 'Done.' });
    world.say('alice', '@agent and also');
    await world.trigger.setState(world.ports, { state: 'completed' });
    expect(await world.listed()).toEqual([1]);
  });

  it('lists a thread that the agent gave back to itself, in the name of whoever caused it [NX-72]', async () => {
    world.say('alice', '@agent please');
    await world.begin();
    await world.end();
    await world.trigger.setState(world.ports, { state: 'waiting' });
    world.restart();
    expect(await world.listed()).toEqual([1]);
    expect(await world.claim()).toBe('ours');
    expect(await world.trigger.signs.listHandovers(world.ports, { since: null })).toMatchObject([
      { actor: { login: 'agent' }, commentId: null, editsSince: [] },
    ]);
    await world.trigger.setState(world.ports, { state: 'processing' });
    expect(await world.listed()).toEqual([]);
  });

  it('shows how far a thread is, after a restart too', async () => {
    const shown = async () => {
      const thread = await world.ports.reader.readThread();
      const states = ['waiting', 'processing', 'paused', 'completed'] as const;
      const shows = (state: TaskState) => world.trigger.signs.shows({ ports: world.ports, thread }, [state]);
      const found = await Promise.all(states.map(async (state) => ((await shows(state)) ? [state] : [])));
      return found.flat();
    };
    expect(await shown()).toEqual([]);
    world.say('alice', '@agent please');
    await world.listed();
    expect(await shown()).toEqual(['waiting']);
    await world.begin();
    world.restart();
    expect(await shown()).toEqual(['processing']);
    await world.trigger.setState(world.ports, { state: 'paused' });
    expect(await shown()).toEqual(['paused']);
    await world.end();
    expect(await shown()).toEqual([]);
  });

  it('answers no mention from before its first start, nor from before a place was added [NX-70]', async () => {
    world = await setUp({ places: ['octo/hello'] });
    const other = world.people.openIssue({
      repository: 'octo/other',
      author: 'alice',
      title: 'O',
      body: '@agent',
    });
    expect(await world.listed()).toEqual([]);
    world.pass(3_600);
    world.restart({ places: ['octo/hello', 'Octo/Other'] });
    world.say('alice', '@agent at once', other);
    expect(await world.listed()).toEqual([]);
    world.say('bob', 'An old thread moves', other);
    expect(await world.listed()).toEqual([]);
    world.say('alice', '@agent now', other);
    expect(await world.listed()).toEqual([1]);
  });

  it('keeps places apart of which one ends as the other is called [NX-70]', async () => {
    world = await setUp({ places: ['hello/issues'] });
    world.say('alice', '@agent too early');
    world.pass(3_600);
    world.restart({ places: ['hello/issues', 'octo/hello/issues'] });
    expect(await world.listed()).toEqual([]);
  });

  it('forgets the oldest of very many, and answers none of them again [NX-70]', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 1_003; number += 1) {
      world.pass();
      ids.push(world.people.comment(world.key, { author: 'alice', body: '@agent please' }));
    }
    await world.begin();
    await world.end();
    await world.listed();
    expect(world.store.kept()?.handled).toHaveLength(1_000);
    world.people.editComment(world.key, ids[0] ?? '', '@agent please!');
    world.restart();
    expect(await world.listed()).toEqual([]);
    world.say('alice', '@agent please');
    expect(await world.listed()).toEqual([1]);
  });

  it('keeps what it cannot read for later, says so, and goes on with the others [NX-71]', async () => {
    world.say('alice', '@agent please');
    const other = world.people.openIssue({ author: 'alice', title: 'Two', body: '' });
    world.say('alice', '@agent please', other);
    const gone = new PlatformError('slow', { code: 'forbidden' });
    world.platform.failNext({ operation: 'listComments', error: gone });
    const { tasks, failures } = await world.trigger.listWaiting();
    expect(tasks.map(numberOf)).toEqual([2]);
    expect(failures).toMatchObject([{ place: 'github_issue:octo:hello:1', error: gone }]);
    expect(await world.listed()).toEqual([1, 2]);
  });

  it('works on no thread of which nobody can say who changed it [NX-71]', async () => {
    const thread = await world.ports.reader.readThread();
    const ports = { ...world.ports, history: null };
    await expect(world.trigger.claim({ ports, thread })).rejects.toThrow('"trigger: label"');
  });
});

describe('a mention has the authority of whoever wrote it', () => {
  it('and gives the thread as it was then [NX-71]', async () => {
    const id = world.say('alice', '@agent please');
    await world.claim();
    expect(await world.check()).toMatchObject({
      status: 'given',
      handover: { by: { login: 'alice' }, commentId: id, at: '2026-03-01T11:00:10Z' },
    });
    world.people.editThread(world.key, { body: 'Swapped', by: 'mallory' });
    expect(await world.check()).toMatchObject({
      status: 'refused',
      refusal: { reason: 'edit', part: 'body', actor: { login: 'mallory' } },
    });
  });

  it('which is none for a stranger, whoever was asked before or is asked later [NX-71]', async () => {
    world.say('mallory', '@agent please');
    expect(await world.listed()).toEqual([1]);
    await world.claim();
    expect(await world.check()).toMatchObject({
      status: 'refused',
      refusal: { actor: { login: 'mallory' } },
    });
    await world.trigger.release(world.ports);
    expect(await world.listed()).toEqual([]);
    world.say('alice', '@agent please');
    world.say('mallory', '@agent no, this');
    await world.claim();
    expect(await world.check()).toMatchObject({ status: 'given', handover: { by: { login: 'alice' } } });
  });

  it('and whoever edited it last [NX-71]', async () => {
    const id = world.say('alice', 'please');
    world.people.editComment(world.key, id, '@agent please', { by: 'mallory' });
    expect(await world.claim()).toBe('ours');
    expect(await world.check()).toMatchObject({
      status: 'refused',
      refusal: { actor: { login: 'mallory' } },
    });
    world.pass();
    world.people.editComment(world.key, id, '@agent please', { by: 'octo' });
    await world.claim();
    const at = new Date(world.clock.ms).toISOString().replace('.000', '');
    expect(await world.check()).toMatchObject({ status: 'given', handover: { by: { login: 'octo' }, at } });
  });

  it("in a thread's own text as well [NX-71]", async () => {
    const key = world.people.openIssue({ author: 'mallory', title: 'Two', body: '@agent' });
    world.ports = world.platform.openThread(key);
    await world.claim();
    expect(await world.check()).toMatchObject({
      status: 'refused',
      refusal: { actor: { login: 'mallory' } },
    });
    world.pass();
    world.people.editThread(key, { body: '@agent this', by: 'alice' });
    await world.claim();
    expect(await world.check()).toMatchObject({ status: 'given', handover: { by: { login: 'alice' } } });
  });

  it('and waits where it cannot be asked for [NX-71]', async () => {
    world.say('alice', '@agent please');
    await world.claim();
    for (const operation of ['accessOf', 'listEdits'] as const) {
      world.platform.failNext({ operation, error: new Error('down') });
      await expect(world.check()).rejects.toThrow('down');
      expect(await world.listed()).toEqual([1]);
    }
  });

  it('is named in both languages', () => {
    const bot = { id: '1', login: 'triage[bot]', kind: 'bot' } as const;
    const { en, ja } = world.trigger.texts;
    expect(en.notGiven(bot)).toBe(
      "I haven't started: `triage[bot]` (a bot) mentioned me here but isn't allowed to give me tasks.",
    );
    expect(ja.changed({ part: 'title', actor: null })).toContain('タイトルの変更');
    expect(en.changed({ part: 'title', actor: bot })).toContain(': `triage[bot]` changed ');
    expect(en.changed({ part: 'title', actor: null })).toContain(': an unknown user changed ');
    expect([en.beginAgain(true), en.beginAgain(false)]).toEqual([
      'To restart the task, assign the coding agent and mention it again.',
      'To restart the task, mention the coding agent again.',
    ]);
    expect([ja.beginAgain(true), ja.beginAgain(false)]).toEqual([
      'タスクを再開する場合は、コーディングエージェントを再度アサインし、メンションしてください。',
      'タスクを再開する場合は、コーディングエージェントを再度メンションしてください。',
    ]);
  });
});
