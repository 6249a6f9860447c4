import type { NewIntent } from '@agent/run-store';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { openMemoryOutbox } from '../../test/memory-outbox.ts';
import { createPerformEntry } from '../outbox/perform-entry.ts';
import { createSettleRun, type OpenEntry } from '../outbox/settle-run.ts';
import type { Run } from '../run/run.ts';
import { ClaimLostError } from '../run/run-claim.ts';
import { createFinishRun } from './conclude.ts';
import { createWithdraw } from './withdraw.ts';

const now = () => 0;
const controls = { read: async () => [], remove: async () => {} };

it('a run that leaves its thread to another one wants nothing more but to take its claim away, until it can [NX-112]', async () => {
  const outbox = openMemoryOutbox({ now });
  await outbox.open({ id: 'label:begun', kind: 'label', data: { state: 'processing', takes: null } });
  const put: string[] = [];
  const kept: { readonly again: () => Promise<readonly OpenEntry[]> }[] = [];
  let isRefused = true;
  const run = {
    uuid: 'u',
    facts: { locale: 'en', handover: null, number: 1, repository: null, kind: 'issue' },
    outbox,
    recordCheck: { requireOwned: () => {} },
    logger: pino({ level: 'silent' }),
    thread: {
      comments: { close: () => {} },
      audience: {},
      ports: { reader: {} },
      platform: { platform: {}, openSource: () => ({ close: () => {} }) },
    },
    progress: {
      rest: async () => {
        if (isRefused) throw Object.assign(new Error('403'), { code: 'forbidden' });
      },
    },
    state: { read: async () => null },
    journal: {
      read: async function* () {},
      finish: async (_: unknown, { intents = [] }: { readonly intents?: readonly NewIntent[] }) => {
        for (const intent of intents) await outbox.open(intent);
      },
    },
  } as unknown as Run;
  const finish = createFinishRun({
    store: { finish: async (uuid) => void put.push(uuid), index: async () => {} },
    controls,
    settle: createSettleRun({
      perform: createPerformEntry({
        lastLook: async () => [],
        readOverview: () => Promise.reject(new Error('unread')),
      }),
      controls,
      now,
    }),
    unsettled: { keepEnded: (one) => void kept.push(one) },
    sleep: async () => {},
    shutdown: new AbortController().signal,
  });
  const states = async () => (await outbox.list()).map((entry) => ('by' in entry ? entry.by : entry.state));
  await createWithdraw(finish)({ run }, new ClaimLostError('another'));
  expect([await states(), put]).toEqual([['the withdrawal', 'open'], []]);
  isRefused = false;
  expect(await kept[0]?.again()).toEqual([]);
  expect([await states(), put]).toEqual([['the withdrawal', 'done'], ['u']]);
});
