import { createMemoryPlatform } from '@agent/platforms/memory';
import { describe, expect, it } from 'vitest';
import { createAssignmentTrigger } from './assignment-trigger.ts';
import type { TaskState } from './task-trigger.ts';

function setUp() {
  const clock = { ms: Date.parse('2026-03-01T10:00:00Z') };
  const platform = createMemoryPlatform({ now: () => new Date(clock.ms) });
  const key = platform.people.openIssue({ author: 'bob', title: 'T', body: 'B' });
  const trigger = createAssignmentTrigger(platform);
  const ports = platform.openThread(key);
  return {
    ...{ platform, key, trigger, ports },
    pass: () => {
      clock.ms += 5_000;
    },
    listed: async () => (await trigger.listWaiting()).tasks.length,
    assignees: async () => (await ports.reader.readThread()).assignees.map(({ login }) => login),
  };
}

describe('the trigger of assignment', () => {
  it('lists a thread while it is assigned to the agent, and claims it then only', async () => {
    const { platform, key, trigger, ports, listed } = setUp();
    expect(await listed()).toBe(0);
    expect(await trigger.claim({ ports, thread: await ports.reader.readThread() })).toBe('theirs');
    platform.people.assign(key, ['agent', 'alice'], { by: 'alice' });
    expect(await listed()).toBe(1);
    expect(await trigger.claim({ ports, thread: await ports.reader.readThread() })).toBe('ours');
  });

  it.each<[TaskState, readonly string[]]>([
    ['processing', ['alice', 'agent']],
    ['paused', ['alice', 'agent']],
    ['waiting', ['alice', 'agent']],
    ['completed', ['alice']],
    ['failed', ['alice']],
    ['stopped', ['alice']],
  ])('a thread that is %s is assigned to %j', async (state, wanted) => {
    const { platform, key, trigger, ports, assignees } = setUp();
    platform.people.assign(key, ['alice', 'agent']);
    await trigger.setState(ports, { state });
    await trigger.setState(ports, { state });
    expect(await assignees()).toEqual(wanted);
  });

  describe('at the end of a run', () => {
    /** Alice assigns the agent; its run ends after somebody did something more. */
    async function endAfter(act: (at: ReturnType<typeof setUp>) => unknown): Promise<readonly string[]> {
      const at = setUp();
      const { platform, key, trigger, ports, pass } = at;
      const own = await platform.identity.whoAmI();
      platform.people.assign(key, ['agent'], { by: 'alice' });
      const given = await ports.history?.lastAssigned(own);
      pass();
      await act(at);
      pass();
      const answers = { at: given?.at ?? '', own };
      for (let time = 0; time < 2; time += 1) await trigger.setState(ports, { state: 'completed', answers });
      return at.assignees();
    }

    it('takes itself off the request that the run answered [NX-95]', async () => {
      expect(await endAfter(() => {})).toEqual([]);
    });

    it('stays where somebody has assigned it again since: that asks for another run [NX-95]', async () => {
      const again = ({ platform, key }: ReturnType<typeof setUp>) => {
        platform.people.assign(key, [], { by: 'alice' });
        platform.people.assign(key, ['agent'], { by: 'bob' });
      };
      expect(await endAfter(again)).toEqual(['agent']);
    });

    it('takes itself off what it assigned to itself: that is nobody’s request [NX-95]', async () => {
      const byItself = async ({ trigger, ports, platform, key }: ReturnType<typeof setUp>) => {
        platform.people.assign(key, [], { by: 'alice' });
        await trigger.setState(ports, { state: 'waiting' });
      };
      expect(await endAfter(byItself)).toEqual([]);
    });
  });

  it('says who assigned the agent, and what strangers changed since', async () => {
    const { platform, key, trigger, ports, pass } = setUp();
    const listHandovers = () => trigger.signs.listHandovers(ports, { since: null });
    expect(await listHandovers()).toEqual([]);
    platform.people.editThread(key, { title: 'Before' });
    pass();
    platform.people.assign(key, ['agent'], { by: 'alice' });
    expect(await listHandovers()).toMatchObject([
      { actor: { login: 'alice' }, editsSince: [], commentId: null },
    ]);
    pass();
    platform.people.editThread(key, { body: 'Swapped', by: 'mallory' });
    expect(await listHandovers()).toMatchObject([
      { editsSince: [{ part: 'body', actor: { login: 'mallory' } }] },
    ]);
  });

  it('a thread that is given back to people is assigned to the agent no more', async () => {
    const { platform, key, trigger, ports, listed } = setUp();
    platform.people.assign(key, ['agent'], { by: 'mallory' });
    await trigger.release(ports);
    expect(await listed()).toBe(0);
  });

  it('takes no thread where it could not take itself off again', async () => {
    const { trigger, ports } = setUp();
    const thread = await ports.reader.readThread();
    await expect(trigger.claim({ ports: { ...ports, assignees: null }, thread })).rejects.toThrow(
      '"trigger: label"',
    );
  });

  it('is named in both languages', () => {
    const { texts } = setUp().trigger;
    const bot = { id: '1', login: 'triage[bot]', kind: 'bot' } as const;
    expect(texts.en.notGiven(bot)).toBe(
      "I haven't started: `triage[bot]` (a bot) assigned me but isn't allowed to give me tasks.",
    );
    const person = { ...bot, login: 'ada', kind: 'person' } as const;
    expect(texts.en.notGiven(person)).toBe(
      "I haven't started: `ada` assigned me but isn't allowed to give me tasks.",
    );
    expect(texts.ja.notGiven(bot)).toContain('アサインした `triage[bot]` (ボット) には');
    expect(texts.ja.notGiven(person)).toContain('アサインした `ada` には');
    expect(texts.ja.changed({ part: 'title', actor: null })).toContain('タイトルの変更');
    expect(texts.ja.changed({ part: 'title', actor: person })).toContain('`ada` がタイトルを変更しました');
    expect(texts.en.changed({ part: 'title', actor: null })).toContain(': an unknown user changed ');
    expect(texts.en.changed({ part: 'title', actor: person })).toContain(': `ada` changed ');
  });
});
