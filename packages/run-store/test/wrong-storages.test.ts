import { expect, it } from 'vitest';
import type { Json, RunStorage } from '../src/index.ts';
import type { SpendingLedger } from '../src/spending/spending-ledger.ts';
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

/** A pause that forgets who asked for it. */
const namelessPause: Spoil = ({ pauseSignal }) => ({
  pauseSignal: { ...pauseSignal, set: () => pauseSignal.set() },
});

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

const granted = { kind: 'granted' } as const;

function spoilSpending(wrong: Partial<SpendingLedger>): Spoil {
  return ({ openSpending }) => ({ openSpending: (options) => ({ ...openSpending(options), ...wrong }) });
}

/** Tells whoever has to wait that nothing is left. */
const hurriedSpending: Spoil = ({ openSpending }) => ({
  openSpending: (options) => {
    const ledger = openSpending(options);
    const reserve: SpendingLedger['reserve'] = async (reservation) => {
      const answer = await ledger.reserve(reservation);
      return answer.kind === 'wait' ? { ...answer, kind: 'exhausted' } : answer;
    };
    return { ...ledger, reserve };
  },
});

/** Compares with what is spent alone, whatever is reserved. */
const lateSpending: Spoil = ({ openSpending }) => ({
  openSpending: (options) => {
    const ledger = openSpending(options);
    const reserve: SpendingLedger['reserve'] = async (reservation) => {
      const { accounts } = reservation;
      const spent = await ledger.read(accounts.map(({ name }) => name));
      const account = spent.find(({ spentMicros }, index) => {
        const limit = accounts[index]?.limitMicros ?? null;
        return limit !== null && spentMicros >= limit;
      });
      if (account !== undefined) return { kind: 'exhausted', account };
      return ledger.reserve({
        ...reservation,
        accounts: accounts.map(({ name }) => ({ name, limitMicros: null })),
      });
    };
    return { ...ledger, reserve };
  },
});

/** Gives back what was reserved by who releases the place. */
const forgetfulSpending: Spoil = ({ openSpending }) => ({
  openSpending: (options) => {
    const ledger = openSpending(options);
    const reserve: SpendingLedger['reserve'] = (reservation) => ledger.reserve({ ...reservation, micros: 0 });
    return { ...ledger, reserve };
  },
});

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
  ['forgets who paused everything', /^pauses every process/, namelessPause],
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
  ['spends without end', /^reserves from all accounts/, spoilSpending({ reserve: async () => granted })],
  ['refuses where it could wait', /^has a call wait/, hurriedSpending],
  ['looks before it takes', /^lets calls at the same time/, lateSpending],
  ['forgets what the dead reserved', /^counts what a process left open/, forgetfulSpending],
  [
    'goes on to name who left',
    /^names who works there/,
    ({ members }) => ({
      members: { ...members, list: async () => [{ number: 1, pid: process.pid, host: 'here', silentMs: 0 }] },
    }),
  ],
  [
    'finds nothing',
    /^shows the runs of an owner/,
    ({ index }) => ({ index: { ...index, find: async () => [] } }),
  ],
  [
    'purges nothing',
    /^removes expired and purged/,
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
