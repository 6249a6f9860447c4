import { expect, it } from 'vitest';
import type { Json, RunStorage } from '../src/index.ts';
import { createMemoryPlace, createMemoryStorage, runStorageContract } from '../src/testing/index.ts';

type Spoil = (storage: RunStorage) => Partial<RunStorage>;

/** A flag and notes that only their own process knows. */
const ownSignal: Spoil = ({ pauseSignal }) => {
  let isSet = false;
  const turn = (to: boolean) => async () => {
    isSet = to;
  };
  return { pauseSignal: { ...pauseSignal, isSet: async () => isSet, set: turn(true), clear: turn(false) } };
};

const ownNotes: Spoil = ({ notes }) => {
  const kept = new Map<string, Json>();
  return {
    notes: {
      ...notes,
      read: async (name) => kept.get(name) ?? null,
      write: async (name, value) => void kept.set(name, value),
    },
  };
};

/** What a storage does wrong, and the case that has to notice. */
const wrongStorages: readonly (readonly [wrong: string, noticedBy: RegExp, spoil: Spoil])[] = [
  ['keeps notes for its own process', /^keeps a note as a whole/, ownNotes],
  [
    'forgets what is changed meanwhile',
    /^loses no change/,
    ({ notes }) => ({
      notes: {
        ...notes,
        change: async (name, change) => {
          const read = await notes.read(name);
          await Promise.resolve();
          await notes.write(name, change(read));
        },
      },
    }),
  ],
  ['takes any name', /^refuses a name/, ({ notes }) => ({ notes: { ...notes, write: async () => {} } })],
  ['pauses its own process', /^pauses every process/, ownSignal],
  [
    'keeps a pause beside the resume that takes it back',
    /^hands what is asked/,
    ({ controls }) => ({ controls: { ...controls, remove: async () => {} } }),
  ],
  [
    'carries every message to everybody',
    /^carries a message/,
    ({ signals }) => ({
      signals: { ...signals, publish: (_, message) => signals.publish('stops', message) },
    }),
  ],
  [
    'goes on to name who left',
    /^names who works there/,
    ({ members }) => ({
      members: { ...members, list: async () => [{ number: 1, pid: process.pid, host: 'here' }] },
    }),
  ],
  [
    'finds nothing',
    /^shows the runs of an owner/,
    ({ index }) => ({ index: { ...index, find: async () => [] } }),
  ],
  [
    'purges nothing',
    /^removes what ended/,
    ({ upkeep }) => ({ upkeep: { ...upkeep, purge: async () => ({ removed: [], kept: [] }) } }),
  ],
  [
    'can keep nothing',
    /^says that it can keep runs/,
    ({ health }) => ({
      health: { ...health, check: async () => ({ part: 'disk', state: 'failed', reason: 'full' }) },
    }),
  ],
];

it.each(wrongStorages)('the contract of a storage fails on one that %s', async (_, noticedBy, spoil) => {
  const tests = runStorageContract({
    create: async ({ now }) => {
      const place = createMemoryPlace();
      const open = async () => {
        const storage = createMemoryStorage({ place, now });
        return { ...storage, ...spoil(storage) };
      };
      return { open, close: async () => {} };
    },
  });
  const test = tests.find(({ name }) => noticedBy.test(name)) ?? expect.fail('there is no such case');
  await expect(test.run()).rejects.toThrow();
});
