import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createRunRecovery, type RunRecoveryOptions } from './run-recovery.ts';

const now = Date.parse('2026-03-10T00:00:00Z');
const metadata = (host: string) =>
  ({ host, taskKeyText: 'github_issue:acme:shop:1', extra: { url: 'https://forge.test/1' } }) as never;

/** The recovery of a machine whose store lists this, and what it logs. */
function open(store: Partial<RunRecoveryOptions['store']>) {
  const lines: Record<string, unknown>[] = [];
  const nothing = { runs: [], damaged: [], pausing: [] };
  const recovery = createRunRecovery({
    store: { listPaused: async () => nothing, listInterrupted: async () => nothing, ...store } as never,
    readRun: async () => ({ metadata: metadata('forge.test') }),
    controls: { list: async () => [] } as never,
    platforms: [{ platform: { host: 'forge.test' } }] as never,
    listener: { listen: async () => {} },
    failed: { listHeld: async () => [], listRetries: async () => [] },
    show: async () => {},
    pausedTaskExpiryDays: 7,
    now: () => now,
    logger: pino({ level: 'error' }, { write: (line: string) => lines.push(JSON.parse(line)) }),
  });
  return { recovery, lines };
}

const paused = (uuid: string, { pausedAt = '2026-03-09T00:00:00Z', host = 'forge.test' } = {}) =>
  ({ uuid, metadata: metadata(host), state: { pausedAt, planningState: null } }) as never;

it('resumes what was paused a week ago at most, and says once of the rest why not', async () => {
  const runs = [
    paused('exactly-a-week', { pausedAt: '2026-03-03T00:00:00Z' }),
    paused('older', { pausedAt: '2026-03-02T23:59:59Z' }),
    paused('elsewhere', { host: 'other.test' }),
  ];
  const damaged = [{ name: 'torn', reason: 'no beginning' }] as never;
  const { recovery, lines } = open({ listPaused: async () => ({ runs, damaged }) });
  for (let poll = 0; poll < 2; poll += 1) {
    const listed = await recovery.listPaused([]);
    expect(listed.map(({ entry, held }) => [entry.runId, held])).toEqual([['exactly-a-week', false]]);
  }
  expect(lines).toMatchObject([
    { run: 'torn', reason: 'no beginning', msg: 'failed to read paused run' },
    {
      run: 'older',
      pausedAt: '2026-03-02T23:59:59Z',
      msg: 'skipped paused run: expired',
    },
    { run: 'elsewhere', host: 'other.test', msg: 'skipped run: platform is not configured' },
  ]);
});

it('recovers what an earlier process left, the pauses it cut short first, and says what it cannot read', async () => {
  const { recovery, lines } = open({
    listInterrupted: async () => ({
      runs: [{ uuid: 'left', metadata: metadata('forge.test') } as never],
      pausing: [paused('pausing')],
      damaged: [{ name: 'torn', reason: 'no beginning' } as never],
    }),
  });
  const entry = { key: 'forge.test github_issue:acme:shop:1', kind: 'interrupted', platform: 'forge.test' };
  const url = 'https://forge.test/1';
  expect(await recovery.listUnfinished()).toEqual([
    { ...entry, runId: 'pausing', url },
    { ...entry, runId: 'left', url },
  ]);
  await recovery.listUnfinished();
  expect(lines).toMatchObject([
    { run: 'torn', reason: 'no beginning', msg: 'failed to read interrupted run' },
  ]);
});

it('lists no run again that cannot be restored', async () => {
  const { recovery } = open({ listPaused: async () => ({ runs: [paused('r1')], damaged: [] }) });
  expect(await recovery.listPaused([])).toHaveLength(1);
  recovery.giveUp('r1');
  expect(await recovery.listPaused([])).toEqual([]);
});
