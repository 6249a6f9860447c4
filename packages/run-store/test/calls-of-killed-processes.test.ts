// @module-tag full
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFileStorage } from '../src/file/file-storage.ts';
import { createPostgresStorage } from '../src/postgres/postgres-storage.ts';
import type { SpendingLedger } from '../src/spending/spending-ledger.ts';
import type { RunStorage } from '../src/storage.ts';
import { createMemoryPlace, createMemoryStorage, makeDirectory } from '../src/testing/index.ts';
import { type CallTrial, mostMicros, playCalls } from './play-calls.ts';
import { databasesToTry } from './test-databases.ts';

const trials: fc.Arbitrary<CallTrial> = fc.record({
  run: fc.integer({ min: 1, max: 200 }),
  day: fc.integer({ min: 1, max: 300 }),
  steps: fc.array(
    fc.record({
      run: fc.constantFrom(0, 1),
      act: fc.constantFrom('go on', 'go on', 'go on', 'go on', 'kill'),
      micros: fc.integer({ min: 1, max: mostMicros }),
    }),
    { minLength: 10, maxLength: 50 },
  ),
});

const isRelease = process.env.TEST_RELEASE === '1';

/** Two runs in each: a thousand in files and as many in PGlite in `npm run test:release`, and fewer on a server, where each takes half a second. */
const trialsIn = (place: string): number => (isRelease ? (place === 'a real server' ? 100 : 500) : 5);

type Place = { readonly open: () => Promise<RunStorage>; readonly close: () => Promise<void> };

const places: readonly (readonly [name: string, create: () => Promise<Place>])[] = [
  [
    'files',
    async () => {
      const { path: baseDirectory, remove } = await makeDirectory();
      return { open: async () => createFileStorage({ baseDirectory }), close: remove };
    },
  ],
  ...databasesToTry.map(([name, connect]) => {
    const create = async (): Promise<Place> => {
      const schema = `s${randomUUID().replaceAll('-', '')}`;
      const opened: RunStorage[] = [];
      return {
        open: async () => {
          const storage = createPostgresStorage({ database: await connect(), schema });
          opened.push(storage);
          return storage;
        },
        close: async () => {
          for (const storage of opened) await storage.close();
          const database = await connect();
          await database.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
          await database.close();
        },
      };
    };
    return [name, create] as const;
  }),
];

describe.each(places)('the money of runs in %s', (place, create) => {
  const numRuns = trialsIn(place);
  it(
    'passes no limit by more than one call, and counts each that was billed, whoever is killed in the middle of one [NX-194, NX-195]',
    async () => {
      const { open, close } = await create();
      onTestFinished(close);
      const check = async (trial: CallTrial) => {
        expect(await playCalls(trial, { open })).toEqual([]);
      };
      await fc.assert(fc.asyncProperty(trials, check), { numRuns });
    },
    120_000 + numRuns * 10_000,
  );
});

const free = { micros: 0, isPresumed: false };
const faults: Readonly<Record<string, (ledger: SpendingLedger) => SpendingLedger>> = {
  'reserves nothing': (ledger) => ({
    ...ledger,
    reserve: async (reservation) => {
      await ledger.reserve({
        ...reservation,
        accounts: reservation.accounts.map((one) => ({ ...one, limitMicros: null })),
      });
      return { kind: 'granted' };
    },
  }),
  'settles twice': (ledger) => ({
    ...ledger,
    settle: async (id, cost) => ledger.settle(id, { ...cost, micros: 2 * cost.micros }),
  }),
  'forgets what a call cost': (ledger) => ({ ...ledger, settle: (id) => ledger.settle(id, free) }),
  'settles never': (ledger) => ({ ...ledger, settle: async () => {} }),
};

it.each(Object.entries(faults))('a ledger that %s is found out', async (_, spoil) => {
  const check = async (trial: CallTrial) => {
    const place = createMemoryPlace();
    return (await playCalls(trial, { open: async () => createMemoryStorage({ place }), spoil })).length === 0;
  };
  const { failed } = await fc.check(fc.asyncProperty(trials, check), { numRuns: 200 });
  expect(failed).toBe(true);
});
