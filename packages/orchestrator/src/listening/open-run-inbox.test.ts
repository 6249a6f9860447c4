import { createTextWorker } from '@agent/text/worker';
import { expect, it, onTestFinished } from 'vitest';
import { hear, setUp, uuid } from '../../test/inbox-bed.ts';
import { runSettingsShape } from '../config/run-settings.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { createOpenRunInbox, type HearingMode, type HearingRun } from './open-run-inbox.ts';

/** What runs of the bed hear their threads by. */
async function open({ assumes = false, ...settings }: { assumes?: boolean; check_interval?: number }) {
  const bed = await setUp();
  const { platform, key, journal, state, controls, clock } = bed;
  const textWorker = createTextWorker();
  onTestFinished(() => textWorker.close());
  const now = () => clock.ms;
  const openRunInbox = createOpenRunInbox({
    ...{ controls, textWorker, assumes, now, logLocale: 'en' },
    settings: runSettingsShape.comment_detection.parse(settings),
    approvalPhrases: [],
    redactSecrets: (text) => text,
    audit: { write: async (entry) => void audited.push(entry) },
    shutdown: new AbortController().signal,
    clock: { now: () => new Date(clock.ms), monotonicNow: now, sleep: async () => {} },
  });
  const audited: unknown[] = [];
  const ports = platform.openThread(key);
  const policy = { everyone: false, collaborators: true, isNamed: () => false };
  const configured = { platform, trust: policy, botName: null } as unknown as ConfiguredPlatform;
  const given: string[] = [];
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const run = {
    ...{ uuid, journal, state, startedAt: '2026-03-01T10:00:00Z' },
    facts: {
      ...{ threadUpdatedAt: null, locale: 'en', kind: 'issue', number: 42 },
      repository: { path: 'acme/shop' },
    },
    thread: {
      ...{ platform: configured, ports, comments: { ...ports.comments, close() {} } },
      acknowledgements: { give: (meaning: string) => void given.push(meaning), settle: async () => {} },
    },
    logger: { ...silent, child: () => silent },
  } as unknown as HearingRun;
  return { ...bed, given, audited, openRunInbox: (mode?: HearingMode) => openRunInbox(run, mode) };
}

it('checks the thread at every so many steps of a run, and each time for one who only listens [NX-2]', async () => {
  const heardAfter = async (mode: HearingMode) => {
    const { openRunInbox, snapshot, say, journal, clock } = await open({ check_interval: 3 });
    const inbox = { ...(await openRunInbox()), journal };
    await inbox.begin(await snapshot());
    const ears = mode.onlyListens ? { ...(await openRunInbox(mode)), journal } : inbox;
    expect(await hear(ears)).toBeNull();
    say('alice', 'Make it green.');
    for (let step = 1; step < 9; step += 1) {
      clock.ms += 60_000;
      if ((await hear(ears)) !== null) return step;
    }
    return null;
  };
  expect(await heardAfter({})).toBe(3);
  expect(await heardAfter({ onlyListens: true })).toBe(1);
});

it('tells what a rejection rejects where runs make assumptions, and else the words alone [NX-4]', async () => {
  for (const assumes of [true, false]) {
    const { openRunInbox, snapshot, say, journal, clock } = await open({ assumes });
    const ears = { ...(await openRunInbox()), journal };
    await ears.begin(await snapshot());
    const assumption = { label: 'A1', info_id: 'rounding' };
    ears.rejections.learn({ assumptions: [assumption], assumption_count: 1 } as never);
    clock.ms += 2_000;
    say('alice', '/reject A1 It rounds once.');
    const told = (await hear(ears)) ?? '';
    expect(told).toContain('/reject A1 It rounds once.');
    expect(told.includes('rounding')).toBe(assumes);
  }
});

it('obeys, for one who only listens, what was commanded since the run was given, before its conversation begins [NX-226]', async () => {
  const { openRunInbox, say, controls, clock } = await open({ check_interval: 3 });
  const ears = await openRunInbox({ onlyListens: true });
  await ears.runCommands();
  expect(await controls.read(uuid)).toEqual([]);
  clock.ms += 60_000;
  say('mallory', '/stop');
  await ears.runCommands();
  expect(await controls.read(uuid)).toEqual([]);
  clock.ms += 60_000;
  say('alice', '/stop');
  await ears.runCommands();
  expect(await controls.read(uuid)).toEqual(['stop']);
});

it('applies a command once if the inbox of the preparation and the inbox of the run both receive it [RL-7, NX-226]', async () => {
  const { openRunInbox, say, snapshot, given, clock } = await open({});
  const [listener, inbox] = [await openRunInbox({ onlyListens: true }), await openRunInbox()];
  await inbox.begin(await snapshot());
  const next = (body: string) => {
    clock.ms += 60_000;
    say('alice', body);
  };
  next('/pause');
  await inbox.runCommands();
  next('/stop');
  await listener.runCommands();
  await inbox.runCommands();
  expect(given.filter((meaning) => meaning === 'done')).toHaveLength(2);
});

it('writes an applied command to the audit log with its author, the task and the run, and no refused one [NX-341]', async () => {
  const { openRunInbox, say, snapshot, audited, clock } = await open({});
  const inbox = await openRunInbox();
  await inbox.begin(await snapshot());
  for (const login of ['mallory', 'alice']) {
    clock.ms += 60_000;
    say(login, '/resume');
    await inbox.runCommands();
  }
  expect(audited).toMatchObject([
    {
      ...{ actor: 'alice', via: 'comment', action: 'resume', target: 'acme/shop#42' },
      ...{ run: uuid, outcome: 'accepted' },
    },
  ]);
});
