import { openFileStorage, TaskBoard, toRecordDirectories } from '@agent/orchestrator';
import { createRunsWatch } from '@agent/orchestrator/watch';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommand } from '../../../test/support/command.ts';
import { type KeptRuns, makeKeptRuns } from '../../../test/support/kept-runs.ts';
import type { CommandIo } from '../command-io.ts';
import { budgetCommand } from './budget.ts';
import { showCommand } from './show.ts';
import { statusCommand } from './status.ts';

const uuid = '11110000-0000-4000-8000-000000000001';
const limits = { run: null, thread: null, person: null, repository: 4, day: 5, by_command: null };
const config = `llm: { model: large, prices: { large: { input: 1, output: 4 } } }
limits: { max_cost: { repository: 4, day: 5 } }
time_zone: Asia/Tokyo
`;
const now = Date.parse('2026-01-02T00:00:00Z');

let kept: KeptRuns;
beforeEach(async () => {
  kept = await makeKeptRuns(config);
  await kept.add({ uuid, number: 1, state: 'completed' });
  const storage = await openFileStorage(toRecordDirectories(kept.contexts), { now: () => now });
  const owner = await storage.members.acquire();
  const ledger = storage.openSpending({ owner });
  const names = [`run:${uuid}`, 'thread:github.com github_issue:acme:shop:1', 'day:2026-01-02'];
  const accounts = [...names, 'repository:github.com 77'].map((name) => ({ name, limitMicros: null }));
  // Two calls of the conversation, that of the summary at its end, and one of another run that is in progress.
  for (const [index, micros] of [1_000, 1_180, 11_820].entries()) {
    const id = `${index}0000000-0000-4000-8000-000000000009`;
    await ledger.reserve({ id, micros: 20_000, accounts });
    await ledger.settle(id, { micros, isPresumed: false });
  }
  const day = [{ name: 'day:2026-01-02', limitMicros: null }];
  await ledger.reserve({ id: '90000000-0000-4000-8000-000000000009', micros: 22_800, accounts: day });
  await owner.release();
});
afterEach(() => kept.close());

const run = (command: (io: CommandIo) => Promise<number>, environment = {}) =>
  runCommand(command, { environment });

async function openWatch() {
  const storage = await openFileStorage(toRecordDirectories(kept.contexts), { now: () => now });
  return createRunsWatch({
    ...{ storage, board: new TaskBoard(), queue: null, redact: (text: string) => text },
    about: { locale: 'en', model: () => null },
    budgets: { money: { limits: () => limits, currency: 'USD', timeZone: 'Asia/Tokyo' }, requests: () => [] },
    clock: { now: () => now, sleep: async () => {} },
    logger: { warn: () => {} },
  });
}

it('every view of a run shows one cost, with the call for its summary [NX-196, NX-234]', async () => {
  const { configFile } = kept;
  expect((await run((io) => showCommand({ config: configFile, run: uuid }, io))).output).toContain(
    ', cost 0.0140 USD',
  );
  const json = await run((io) => showCommand({ config: configFile, run: uuid, json: true }, io));
  expect(JSON.parse(json.output)).toMatchObject({ cost_micros: 14_000, currency: 'USD' });
  const task = await run((io) => budgetCommand({ config: configFile, task: 'acme/shop#1' }, io));
  expect(task.output).toContain('acme/shop#1 has cost 0.0140 USD so far');
  const { reader } = await openWatch();
  const view = await reader.readRun(uuid, { from: null, limit: 1 });
  expect(view).toMatchObject({ row: { costMicros: 14_000 }, currency: 'USD' });
  expect(view?.costs.at(-1)?.costMicros).toBe(14_000);
  const all = { state: null, repository: null, text: null, after: null, limit: 9 };
  expect(await reader.readBoard(all)).toMatchObject({
    rows: [{ costMicros: 14_000 }],
    currency: 'USD',
    budgets: [
      {
        ...{ kind: 'money', name: '2026-01-02', spent: 14_000, reserved: 22_800 },
        ...{ left: 4_963_200, limit: 5_000_000, resetsAt: Date.parse('2026-01-02T15:00:00Z') },
      },
    ],
  });
  expect((await reader.readThread('github_issue:acme:shop:1'))?.runs[0]?.row.costMicros).toBe(14_000);
});

it('budget without a task shows what is spent, reserved and left today, per day and repository, and when it resets [NX-234]', async () => {
  const budget = (json: boolean, environment = {}) =>
    run((io) => budgetCommand({ config: kept.configFile, json }, io), environment);
  const { code, output } = await budget(false);
  expect(code).toBe(0);
  expect(output).toMatchInlineSnapshot(`
    "Today (2026-01-02): 0.0140 USD spent, 0.0228 USD reserved for calls in progress, 4.9632 USD of 5.00 USD left, resets at 2026-01-03 00:00 GMT+9
    Tasks in github.com/77, all days: 0.0140 USD spent, 3.9860 USD of 4.00 USD left, never resets"
  `);
  expect(JSON.parse((await budget(true)).output)).toMatchObject({
    budgets: [
      {
        ...{ scope: 'day', name: '2026-01-02', currency: 'USD', spent_micros: 14_000 },
        ...{ reserved_micros: 22_800, left_micros: 4_963_200, limit_micros: 5_000_000 },
        resets_at: '2026-01-02T15:00:00.000Z',
      },
      { scope: 'repository', spent_micros: 14_000, limit_micros: 4_000_000, resets_at: null },
    ],
  });
  expect((await budget(false, { LANG: 'ja_JP.UTF-8' })).output).toContain(
    '今日 (2026-01-02): 0.0140 USD 使用',
  );
  const set = await run((io) => budgetCommand({ config: kept.configFile, set: '5' }, io));
  expect(set).toMatchObject({ code: 1, errors: expect.stringContaining('Name the task') });
});

it('status has a line for the budget of today, and its JSON the same amounts [NX-234]', async () => {
  const { configFile: file } = kept;
  const { output } = await run((io) => statusCommand({ config: file }, io));
  expect(output).toContain('Today (2026-01-02): 0.0140 USD spent, 0.0228 USD reserved for calls in progress');
  expect(output).toContain('resets at 2026-01-03 00:00 GMT+9');
  const json = await run((io) => statusCommand({ config: file, json: true }, io));
  expect(JSON.parse(json.output)).toMatchObject({
    budgets: [{ scope: 'day', spent_micros: 14_000, left_micros: 4_963_200 }],
    requests: null,
  });
});
