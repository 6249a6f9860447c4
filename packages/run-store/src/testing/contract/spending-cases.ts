import assert from 'node:assert/strict';
import type { SpendingLedger } from '../../spending/spending-ledger.ts';
import type { RunStorage } from '../../storage.ts';
import { first, type RunStoreCase, rejectsWithCode, second, third } from './contract.ts';

type SpendingCase = RunStoreCase<{ readonly open: () => Promise<RunStorage> }>;

/** Opens the ledger as a process does that owns the place, or takes part in it. */
async function openLedger(open: () => Promise<RunStorage>) {
  const storage = await open();
  const owner = await storage.members.acquire();
  return { owner, storage, ledger: storage.openSpending({ owner }) };
}

const run = { name: 'run:1', limitMicros: 100 };
const day = { name: 'day:2026-01-02', limitMicros: 150 };
const person = { name: 'person:github.com/7', limitMicros: null };

/** Spent, of it presumed, and reserved. */
async function amounts(ledger: Pick<SpendingLedger, 'read'>, name: string): Promise<readonly number[]> {
  const [account] = await ledger.read([name]);
  assert.equal(account?.name, name);
  return [account.spentMicros, account.presumedMicros, account.reservedMicros];
}

const uuidOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

/** Promises about the money that runs spend. */
export const spendingCases: readonly SpendingCase[] = [
  {
    name: 'reserves from all accounts or from none, and replaces a reservation by the cost of its call [NX-194]',
    run: async ({ open }) => {
      const { ledger, owner } = await openLedger(open);
      assert.deepEqual(await ledger.read(['run:1', 'run:2']), [
        { name: 'run:1', spentMicros: 0, presumedMicros: 0, reservedMicros: 0 },
        { name: 'run:2', spentMicros: 0, presumedMicros: 0, reservedMicros: 0 },
      ]);
      const reservation = { id: first, micros: 60, accounts: [run, day, person] };
      for (let time = 0; time < 2; time += 1)
        assert.deepEqual(await ledger.reserve(reservation), { kind: 'granted' });
      assert.deepEqual(await amounts(ledger, 'day:2026-01-02'), [0, 0, 60]);
      for (let time = 0; time < 2; time += 1) await ledger.settle(first, { micros: 110, isPresumed: false });
      assert.deepEqual(await amounts(ledger, 'run:1'), [110, 0, 0]);
      assert.deepEqual(await amounts(ledger, 'person:github.com/7'), [110, 0, 0]);
      const refused = await ledger.reserve({ id: second, micros: 1, accounts: [run, day] });
      assert.equal(refused.kind, 'exhausted');
      assert.equal(refused.kind === 'exhausted' && refused.account.name, 'run:1');
      assert.deepEqual(await amounts(ledger, 'day:2026-01-02'), [110, 0, 0]);
      const raised = { ...run, limitMicros: 111 };
      assert.deepEqual(await ledger.reserve({ id: second, micros: 80, accounts: [raised, day] }), {
        kind: 'granted',
      });
      await ledger.settle(second, { micros: 20, isPresumed: true });
      assert.deepEqual(await amounts(ledger, 'run:1'), [130, 20, 0]);
      const none = await ledger.reserve({
        id: third,
        micros: 0,
        accounts: [{ name: 'run:3', limitMicros: 0 }],
      });
      assert.equal(none.kind, 'exhausted');
      await owner.release();
    },
  },
  {
    name: 'has a call wait where only calls under way could reach the limit [NX-194]',
    run: async ({ open }) => {
      const { ledger, owner } = await openLedger(open);
      await ledger.reserve({ id: first, micros: 100, accounts: [run] });
      const answer = await ledger.reserve({ id: second, micros: 100, accounts: [run] });
      assert.equal(answer.kind, 'wait');
      await ledger.settle(first, { micros: 1, isPresumed: false });
      assert.equal((await ledger.reserve({ id: second, micros: 100, accounts: [run] })).kind, 'granted');
      await owner.release();
    },
  },
  {
    name: 'lets calls at the same time pass no limit by more than one of them [NX-194]',
    run: async ({ open }) => {
      const { ledger, owner } = await openLedger(open);
      const ids = Array.from({ length: 12 }, (_, index) => uuidOf(index));
      const calls = ids.map(async (id, index) => {
        const accounts = index % 2 === 0 ? [run, day] : [day, run];
        const { kind } = await ledger.reserve({ id, micros: 40, accounts });
        if (kind === 'granted') await ledger.settle(id, { micros: 40, isPresumed: false });
      });
      await Promise.all(calls);
      const [spent = 0, , reserved] = await amounts(ledger, 'run:1');
      assert.ok(spent >= 100 && spent < 140, `spent ${spent}`);
      assert.equal(reserved, 0);
      await owner.release();
    },
  },
  {
    name: 'counts what a process left open that is gone as spent, and says so [NX-195]',
    run: async ({ open }) => {
      const dead = await openLedger(open);
      await dead.ledger.reserve({ id: first, micros: 70, accounts: [run, day] });
      await dead.ledger.reserve({ id: second, micros: 10, accounts: [run] });
      await dead.ledger.settle(second, { micros: 5, isPresumed: false });
      await dead.owner.release();
      const next = await openLedger(open);
      assert.equal((await next.ledger.reserve({ id: third, micros: 1, accounts: [run] })).kind, 'granted');
      assert.deepEqual(await amounts(next.ledger, 'run:1'), [75, 70, 1]);
      assert.deepEqual(await amounts(next.ledger, 'day:2026-01-02'), [70, 70, 0]);
      // A call of the dead that is told late is counted already.
      await next.ledger.settle(first, { micros: 1, isPresumed: false });
      assert.deepEqual(await amounts(next.ledger, 'run:1'), [75, 70, 1]);
      await next.ledger.settle(third, { micros: 1, isPresumed: false });
      await next.owner.release();
      const last = await openLedger(open);
      assert.deepEqual(await amounts(last.ledger, 'run:1'), [76, 70, 0]);
      if (last.storage.sharing === null)
        await rejectsWithCode(next.ledger.reserve({ id: uuidOf(9), micros: 1, accounts: [run] }), 'invalid');
      await last.owner.release();
    },
  },
];
