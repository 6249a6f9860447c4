import { createMemoryStorage } from '@agent/run-store/testing';
import { expect, it } from 'vitest';
import { maxCostSchema } from '../config/spending-settings.ts';
import { createBudgets } from './budgets.ts';
import type { Payer } from './payer.ts';
import { openRunSpending, toFinalCost } from './run-spending.ts';

const payer: Payer = {
  uuid: '10000000-0000-4000-8000-000000000001',
  thread: { host: 'github.com', taskKeyText: 'github_issue:acme:shop:7' },
  person: null,
  repository: null,
};

it('a run that ends counts what an earlier process of it left reserved, though that is not known to be gone yet [NX-195]', async () => {
  const storage = createMemoryStorage();
  const ledger = storage.openSpending({ owner: await storage.members.acquire() });
  const accounts = [{ name: `run:${payer.uuid}`, limitMicros: null }];
  await ledger.reserve({ id: '10000000-0000-4000-8000-000000000002', micros: 70, accounts });
  const spending = openRunSpending(
    {
      ...{ ledger, budgets: createBudgets(storage.notes), limits: maxCostSchema.parse({}) },
      ...{ currency: 'USD', timeZone: 'UTC', now: () => 0, sleep: async () => {} },
      shutdown: new AbortController().signal,
    },
    { payer, locale: 'en' },
  );
  const settle = await spending.calls.reserve(50, {});
  await settle({ micros: 20, isPresumed: false });
  const spent = await spending.read();
  expect(spent).toEqual({ micros: 20, presumedMicros: 0, reservedMicros: 70 });
  expect(toFinalCost(spent)).toEqual({ micros: 90, presumedMicros: 70 });
  expect(toFinalCost(null)).toBeNull();
});
