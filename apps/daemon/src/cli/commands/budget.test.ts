import { openFileStorage, toRecordDirectories } from '@agent/orchestrator';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/support/command.ts';
import { type KeptRuns, makeKeptRuns } from '../../../test/support/kept-runs.ts';
import { type BudgetFlags, budgetCommand } from './budget.ts';

const uuid = '11110000-0000-4000-8000-000000000001';
const config = `llm: { model: large, currency: EUR, prices: { large: { input: 1, output: 4 } } }
limits: { max_cost: { run: 2, by_command: 3 } }
`;

let kept: KeptRuns;
beforeEach(async () => {
  kept = await makeKeptRuns(config);
  await kept.add({ uuid, number: 1, state: 'failed' });
});
afterEach(() => kept.close());

const budget = (given: Partial<BudgetFlags> = {}, environment: Record<string, string> = {}) =>
  runCommand((io) => budgetCommand({ config: kept.configFile, task: 'acme/shop#1', ...given }, io), {
    environment,
  });

/** Spends something on the thread, and leaves a reservation open as a process that died does. */
async function spend(): Promise<void> {
  const storage = await openFileStorage(toRecordDirectories(kept.contexts), { now: Date.now });
  const owner = await storage.members.acquire();
  const ledger = storage.openSpending({ owner });
  const accounts = [{ name: 'thread:github.com github_issue:acme:shop:1', limitMicros: null }];
  const [first, second] = ['1', '2'].map((digit) => `${digit}0000000-0000-4000-8000-000000000009`);
  await ledger.reserve({ id: first ?? '', micros: 900_000, accounts });
  await ledger.settle(first ?? '', { micros: 1_250_000, isPresumed: false });
  await ledger.reserve({ id: second ?? '', micros: 100_000, accounts });
  await owner.release();
}

describe('budget', () => {
  it('shows what a thread has cost and may cost [NX-234]', async () => {
    expect((await budget()).output).toContain(
      'acme/shop#1 has cost 0.00 EUR so far (all runs).\nLimit for each run',
    );
    await spend();
    const { code, output } = await budget();
    expect(code).toBe(0);
    expect(output).toMatchInlineSnapshot(`
      "acme/shop#1 has cost 1.25 EUR so far (all runs).
      Reserved for calls in progress: 0.10 EUR.
      Limit for each run: 2.00 EUR (limits.max_cost.run)."
    `);
  });

  it('sets an amount beside a daemon, and takes it back; the operator is not bounded [NX-234]', async () => {
    await spend();
    await kept.own();
    const set = await budget({ set: '5' });
    expect(set.output).toContain('Limit for this task: 5.00 EUR, ');
    expect(set.output).toContain('agent-daemon retry acme/shop#1');
    expect(set.output).toContain(`A daemon is running (process ${process.pid}`);
    expect((await budget()).output).toContain('Limit for this task: 5.00 EUR, ');
    expect((await budget({ set: '0.50 EUR' })).output).toContain(
      'The limit is reached: no more model calls are made.',
    );
    expect((await budget({ clear: true })).output).toContain('Limit for each run: 2.00 EUR');
    expect((await budget({}, { LANG: 'ja_JP.UTF-8' })).output).toContain('1.25 EUR です');
  });

  it.each<[Partial<BudgetFlags>, string]>([
    [{ set: 'much' }, '"much" is not an amount'],
    [{ set: '-5' }, '"-5" is not an amount'],
    [{ set: '5', clear: true }, 'not both'],
    [{ task: 'acme/shop#2' }, 'There is no task acme/shop#2.'],
  ])('says what is wrong with %j', async (given, words) => {
    expect(await budget(given)).toMatchObject({ code: 1, errors: expect.stringContaining(words) });
  });

  it('says that nothing is counted where nothing has a price', async () => {
    const free = await makeKeptRuns();
    expect(await budget({ config: free.configFile })).toMatchObject({
      code: 1,
      errors: expect.stringContaining('llm.prices'),
    });
    await free.close();
  });
});
