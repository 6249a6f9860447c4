import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunStorage } from '@agent/run-store';
import { createFileStorage } from '@agent/run-store/file';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFacts } from '../../test/facts-for-test.ts';
import { openReader } from '../host/open-records.ts';
import { toFactsJson } from '../run/run-facts.ts';
import { listSharedBudgets, readDayBudget } from './shared-budgets.ts';

// 01:30 of the next day in Tokyo.
const now = Date.parse('2026-03-01T16:30:00Z');
const limits = { day: 5, person: 2, repository: null };
const options = { limits, timeZone: 'Asia/Tokyo', now };
const uuid = '10000000-0000-4000-8000-000000000001';

const run = {
  uuid,
  taskKey: { type: 'github_issue', owner: 'acme', repo: 'shop', number: 1 },
  taskKeyText: 'github_issue:acme:shop:1',
  host: 'github.com',
  user: 'alice',
  config: {},
  extra: toFactsJson(
    makeFacts({
      handover: {
        by: { id: '7', login: 'alice', kind: 'person' },
        ...{ at: '2026-03-01T10:00:00Z', head: null, commentId: null },
      },
      repository: {
        ...{ id: '1', path: 'acme/shop', cloneUrl: 'https://github.com/acme/shop.git' },
        ...{ branch: 'agent/1', baseBranch: 'main', isOwn: true },
      },
    }),
  ),
};

let baseDirectory: string;
let storage: RunStorage;
beforeEach(async () => {
  baseDirectory = await mkdtemp(join(tmpdir(), 'budgets-'));
  storage = createFileStorage({ baseDirectory, now: () => now });
});
afterEach(() => rm(baseDirectory, { recursive: true, force: true }));

it('lists what is spent, reserved and left per day, person and repository, with names and the next midnight of the zone [NX-196]', async () => {
  const owner = await storage.members.acquire();
  await storage
    .openStore({ owner, parseMessage: (json) => json as { role: string; content: string } })
    .open(run);
  const ledger = storage.openSpending({ owner });
  const names = ['day:2026-03-02', 'person:github.com 7', 'repository:github.com 1', 'thread:github.com x'];
  const accounts = names.map((name) => ({ name, limitMicros: null }));
  await ledger.reserve({ id: '1', micros: 900_000, accounts });
  await ledger.settle('1', { micros: 14_000, isPresumed: false });
  await ledger.reserve({ id: '2', micros: 22_800, accounts });
  const unknown = [{ name: 'person:github.com 8', limitMicros: null }];
  await ledger.reserve({ id: '3', micros: 10, accounts: unknown });
  const found = await listSharedBudgets(storage, { ...options, reader: openReader(storage) });
  await owner.release();
  const amounts = { spentMicros: 14_000, presumedMicros: 0, reservedMicros: 22_800 };
  expect(found).toEqual([
    {
      ...{ scope: 'day', name: '2026-03-02', ...amounts, limitMicros: 5_000_000, leftMicros: 4_963_200 },
      resetsAt: Date.parse('2026-03-02T15:00:00Z'),
    },
    {
      ...{ scope: 'person', name: 'github.com/alice', ...amounts },
      ...{ limitMicros: 2_000_000, leftMicros: 1_963_200, resetsAt: null },
    },
    {
      ...{ scope: 'person', name: 'github.com/8', spentMicros: 0, presumedMicros: 0, reservedMicros: 10 },
      ...{ limitMicros: 2_000_000, leftMicros: 1_999_990, resetsAt: null },
    },
    {
      ...{ scope: 'repository', name: 'github.com/acme/shop', ...amounts },
      ...{ limitMicros: null, leftMicros: null, resetsAt: null },
    },
  ]);
});

it('shows the whole limit of a day on which nothing was spent [NX-196]', async () => {
  expect(await readDayBudget(storage, options)).toMatchObject({
    ...{ name: '2026-03-02', spentMicros: 0, leftMicros: 5_000_000 },
  });
});
