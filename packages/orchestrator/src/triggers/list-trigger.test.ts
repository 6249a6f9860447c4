import { formatTaskKey, parseTaskKey } from '@agent/platforms';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { describe, expect, it } from 'vitest';
import { createListTrigger } from './list-trigger.ts';

async function createWorld() {
  const platform = createMemoryPlatform();
  const key = platform.people.openIssue({ author: 'octo', title: 'One', body: '' });
  const states = new Map<string, string>([[formatTaskKey(key), 'waiting']]);
  const trigger = createListTrigger({
    listWaiting: async () =>
      [...states].flatMap(([name, state]) => (state === 'waiting' ? [parseTaskKey(name)] : [])),
    setState: async (thread, state) => void states.set(formatTaskKey(thread), state),
  });
  const ports = platform.openThread(key);
  return { trigger, ports, key, states, thread: await ports.reader.readThread() };
}

describe('threads that a program gives to the agent', () => {
  it('wait while they are on the list, and are claimed from it alone', async () => {
    const { trigger, ports, key, thread } = await createWorld();
    expect((await trigger.listWaiting()).tasks).toEqual([{ key }]);
    expect(await trigger.claim({ ports, thread })).toBe('ours');
    expect(await trigger.signs.shows({ ports, thread }, ['waiting'])).toBe(true);
    await trigger.setState(ports, { state: 'processing' });
    expect((await trigger.listWaiting()).tasks).toEqual([]);
    expect(await trigger.claim({ ports, thread })).toBe('theirs');
    expect(await trigger.signs.shows({ ports, thread }, ['waiting'])).toBe(false);
    expect(await trigger.signs.shows({ ports, thread }, ['processing'])).toBe(true);
  });

  it('are told of every state, and of being given back', async () => {
    const { trigger, ports, key, states } = await createWorld();
    await trigger.setState(ports, { state: 'failed' });
    expect(states.get(formatTaskKey(key))).toBe('failed');
    await trigger.release(ports);
    expect(states.get(formatTaskKey(key))).toBe('released');
    expect(trigger.signs.canReturn(ports)).toBe(true);
    expect(await trigger.signs.listHandovers(ports, { since: null })).toBe('unknown');
  });

  it('are not "none" where the list cannot be asked [NX-76]', async () => {
    const offline = new Error('offline');
    const trigger = createListTrigger({
      listWaiting: () => Promise.reject(offline),
      setState: async () => {},
    });
    await expect(trigger.listWaiting()).rejects.toBe(offline);
  });

  it('read of themselves in both languages', async () => {
    const { trigger } = await createWorld();
    const actor = { id: '1', login: 'ann', kind: 'person' as const };
    for (const text of [trigger.texts.en, trigger.texts.ja]) {
      expect(text.notGiven(actor)).toContain('`ann`');
      expect(text.notGiven(null)).not.toContain('null');
      expect(text.changed({ part: 'body', actor })).toContain('`ann`');
      expect(text.changed({ part: 'title', actor: null })).not.toContain('null');
      expect(text.giveAgain('`bo`')).toContain('`bo`');
      expect(text.retry).not.toBe(text.beginAgain(false));
    }
  });
});
