import { PlatformError } from '@agent/platforms';
import { ContextStoreError } from '@agent/run-store';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { openMemoryOutbox } from '../../test/memory-outbox.ts';
import type { BoardEvent } from '../board/board-event.ts';
import type { Run } from '../run/run.ts';
import { createSettleRun, type OpenEntry } from './settle-run.ts';
import { UnsettledRuns } from './unsettled-runs.ts';

const dayMs = 86_400_000;
const logger = pino({ level: 'silent' });

interface Refusal {
  readonly kind: string;
  readonly error: Error;
  /** Default: no other process has the run. */
  readonly requireOwned?: () => void;
}

const fails: Refusal = { kind: 'comment', error: new Error('403') };

async function setUp(
  asked: readonly 'settle'[] = [],
  { kind, error, requireOwned = () => {} } = fails,
  readThread = async (): Promise<unknown> => ({}),
  describeRepository = async (): Promise<unknown> => ({}),
) {
  const clock = { ms: 0 };
  const now = () => clock.ms;
  const outbox = openMemoryOutbox({ now });
  for (const id of ['one', 'two']) await outbox.open({ id, kind, data: {} });
  const settle = createSettleRun({
    perform: async () => {
      throw error;
    },
    controls: { read: async () => asked, remove: async () => {} },
    now,
  });
  const repository = { describe: describeRepository };
  const thread = { ports: { reader: { readThread }, repository } };
  const run = { uuid: 'u', outbox, logger, thread, recordCheck: { requireOwned } } as unknown as Run;
  const states = async () => (await outbox.list()).map((entry) => ('by' in entry ? entry.by : entry.state));
  return { clock, states, settle: () => settle(run) };
}

it('an entry that fails stays open, and is given up by the rule once it fails after seven days [NX-94]', async () => {
  const { clock, states, settle } = await setUp();
  clock.ms = 7 * dayMs - 1;
  expect(await settle()).toHaveLength(2);
  expect(await states()).toEqual(['open', 'open']);
  clock.ms += 1;
  expect(await settle()).toEqual([]);
  expect(await states()).toEqual(['the seven-day limit', 'the seven-day limit']);
});

it('an entry of a thread that was deleted is discarded after an hour, and not one of a thread that cannot be read [NX-94]', async () => {
  const error = new PlatformError('no', { code: 'not-found' });
  const refusal = { kind: 'comment', error };
  const deleted = await setUp([], refusal, () => Promise.reject(error));
  expect(await deleted.settle()).toHaveLength(2);
  deleted.clock.ms = 3_600_000;
  expect(await deleted.settle()).toEqual([]);
  expect(new Set(await deleted.states())).toEqual(new Set(['the deletion of the issue or pull request']));
  const away = await setUp([], refusal, () => Promise.reject(new Error('503')));
  away.clock.ms = 3_600_000;
  expect(await away.settle()).toHaveLength(2);
});

it('an entry of a thread whose repository cannot be read either stays open with its reason: access was lost [NX-94]', async () => {
  const error = new PlatformError('404 Project Not Found', { code: 'not-found' });
  const refuse = () => Promise.reject(error);
  const { clock, states, settle } = await setUp([], { kind: 'comment', error }, refuse, refuse);
  clock.ms = 6 * dayMs;
  expect((await settle()).map((open) => open.error)).toEqual([error, error]);
  expect(await states()).toEqual(['open', 'open']);
});

it('an entry of an issue that is only hidden from the agent stays open, and gives that as its reason [NX-94]', async () => {
  const error = new PlatformError('no', { code: 'not-found' });
  const hidden = await setUp(
    [],
    { kind: 'comment', error },
    () => Promise.reject(error),
    async () => ({ hidesThreads: true }),
  );
  hidden.clock.ms = 3_600_000;
  const open = await hidden.settle();
  expect(open.map((one) => String(one.error))).toEqual(
    Array(2).fill(expect.stringContaining('not visible to the agent')),
  );
  expect(await hidden.states()).toEqual(['open', 'open']);
});

it('the reaction that answers a command is given up after an hour where the token may not react, and not for an outage [NX-128]', async () => {
  const hourMs = 3_600_000;
  for (const code of ['forbidden', 'not-found', 'invalid'] as const) {
    const { clock, states, settle } = await setUp([], {
      kind: 'reaction',
      error: new PlatformError('no', { code }),
    });
    clock.ms = hourMs - 1;
    expect(await settle()).toHaveLength(2);
    clock.ms += 1;
    expect(await settle()).toEqual([]);
    expect(new Set(await states())).toEqual(new Set(['the one-hour limit for reactions and checks']));
  }
  const error = new PlatformError('down', { code: 'unavailable' });
  const { clock, states, settle } = await setUp([], { kind: 'reaction', error });
  clock.ms = hourMs;
  expect(await settle()).toHaveLength(2);
  expect(await states()).toEqual(['open', 'open']);
});

it('all that is open is given up where somebody says so, and by whom is written down [NX-94]', async () => {
  const { states, settle } = await setUp(['settle']);
  expect(await settle()).toEqual([]);
  expect(await states()).toEqual(['an operator', 'an operator']);
});

it('a run that is not settled is tried again after pauses that grow to an hour, and the board shows it until it is [NX-93, NX-94]', async () => {
  const pauses: number[] = [];
  const seen: BoardEvent[] = [];
  const unsettled = new UnsettledRuns({
    observe: (event) => void seen.push(event),
    logger,
    now: () => 0,
    sleep: async (milliseconds) => void pauses.push(milliseconds),
    shutdown: new AbortController().signal,
    once: false,
  });
  const open: readonly OpenEntry[] = [
    { entry: { id: 'one', kind: 'comment', data: {}, state: 'open', openedAt: '' }, error: new Error('403') },
  ];
  let rounds = 0;
  const settled = Promise.withResolvers<void>();
  const again = async () => {
    rounds += 1;
    if (rounds === 12) settled.resolve();
    return rounds < 12 ? open : [];
  };
  unsettled.keep({ uuid: 'u', name: 'acme/shop#1', open, again });
  expect(unsettled.count).toBe(1);
  await settled.promise;
  await unsettled.whenIdle();
  await expect.poll(() => unsettled.count).toBe(0);
  expect([pauses.slice(0, 3), Math.max(...pauses)]).toEqual([[15_000, 30_000, 60_000], 3_600_000]);
  expect(seen.at(0)).toMatchObject({ open: { kinds: ['comment'], reason: expect.stringContaining('403') } });
  expect(seen.at(-1)).toMatchObject({ type: 'outbox', open: null });
});

it('a run that goes on is let go of: what is being tried is waited for, and nothing is tried after it [NX-129]', async () => {
  const seen: BoardEvent[] = [];
  const pauses: (() => void)[] = [];
  const unsettled = new UnsettledRuns({
    observe: (event) => void seen.push(event),
    logger,
    now: () => 0,
    sleep: (_, signal) =>
      new Promise((resolve) => {
        pauses.push(resolve);
        signal.addEventListener('abort', () => resolve());
        if (signal.aborted) resolve();
      }),
    shutdown: new AbortController().signal,
    once: false,
  });
  const entry = { id: 'one', kind: 'comment', data: {}, state: 'open', openedAt: '' } as const;
  const open: readonly OpenEntry[] = [{ entry, error: new Error('403') }];
  const attempt = Promise.withResolvers<readonly OpenEntry[]>();
  let attempts = 0;
  const again = () => {
    attempts += 1;
    return attempt.promise;
  };
  unsettled.keep({ uuid: 'u', name: 'acme/shop#1', open, again });
  pauses[0]?.();
  await expect.poll(() => attempts).toBe(1);
  let isReleased = false;
  const released = unsettled.release('u').then(() => {
    isReleased = true;
  });
  expect(isReleased).toBe(false);
  attempt.resolve(open);
  await released;
  await expect.poll(() => seen.at(-1)).toMatchObject({ type: 'outbox', open: null });
  expect([unsettled.count, attempts]).toEqual([0, 1]);
});

it('a run that is kept already is tried at once where something more of it is open [NX-129]', async () => {
  let attempts = 0;
  const unsettled = new UnsettledRuns({
    observe: () => {},
    logger,
    now: () => 0,
    sleep: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    shutdown: new AbortController().signal,
    once: false,
  });
  const entry = { id: 'one', kind: 'comment', data: {}, state: 'open', openedAt: '' } as const;
  const open: readonly OpenEntry[] = [{ entry, error: new Error('403') }];
  const again = async () => {
    attempts += 1;
    return [];
  };
  unsettled.keep({ uuid: 'u', name: 'acme/shop#1', open, again });
  unsettled.keep({ uuid: 'u', name: 'acme/shop#1', open, again });
  expect(unsettled.count).toBe(1);
  await expect.poll(() => unsettled.count).toBe(0);
  expect(attempts).toBe(1);
});

it('a run that another process has taken over is let go of: that one settles it, and nobody is told of it here [NX-140]', async () => {
  const seen: BoardEvent[] = [];
  const lines: unknown[] = [];
  const unsettled = new UnsettledRuns({
    observe: (event) => void seen.push(event),
    logger: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
    now: () => 0,
    sleep: async () => {},
    shutdown: new AbortController().signal,
    once: false,
  });
  const again = () => Promise.reject(new ContextStoreError('Owner 8 has taken run u.', { code: 'owned' }));
  unsettled.keep({ uuid: 'u', name: 'acme/shop#1', open: [], again });
  await expect.poll(() => unsettled.count).toBe(0);
  expect([seen, lines]).toEqual([[{ type: 'outbox', uuid: 'u', name: 'acme/shop#1', open: null }], []]);
});

it('what a process cannot write into a run that another one has is no failure of an entry [NX-140]', async () => {
  const { settle, states } = await setUp([], {
    ...fails,
    requireOwned: () => {
      throw new ContextStoreError('Owner 8 has taken run u.', { code: 'owned' });
    },
  });
  await expect(settle()).rejects.toMatchObject({ code: 'owned' });
  expect(await states()).toEqual(['open', 'open']);
});
