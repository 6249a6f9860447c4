import { randomUUID } from 'node:crypto';
import { formatTaskKey, toTaskKeyJson } from '@agent/platforms';
import { createDoorbell } from '@agent/platforms/sources';
import type { Json } from '@agent/run-store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFacts } from '../../test/facts-for-test.ts';
import { makePastBed, type PastBed } from '../../test/past-bed.ts';
import { runSettingsShape } from '../config/run-settings.ts';
import { createCommentFeeds } from '../connection/connect-platforms.ts';
import { openReader } from '../host/open-records.ts';
import { createApprovals } from '../plan/approvals.ts';
import { toFactsJson } from '../run/run-facts.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { createPausedListener, type HeldRun } from './paused-listener.ts';

let bed: PastBed;
beforeEach(async () => {
  bed = await makePastBed();
});
afterEach(() => bed.close());

/** A run that failed on the bed's thread, and a listener of its own. */
async function setUp(place: Readonly<Record<string, Json>> = {}) {
  const { store, platform, key, logger } = bed;
  const now = () => bed.clock.ms;
  const storage = bed.openStorage();
  const uuid = randomUUID();
  const metadata = { taskKeyText: formatTaskKey(key), host: platform.host, taskKey: toTaskKeyJson(key) };
  const { journal } = await store.open({
    ...{
      uuid,
      ...metadata,
      user: 'alice',
      config: {},
      extra: { ...toFactsJson(makeFacts({ number: key.number })), ...place },
    },
  });
  const { title, body, author, createdAt } = await platform.openThread(key).reader.readThread();
  const said = { author, body: `${title}\n\n${body}`, created_at: createdAt, updated_at: null };
  const text = { id: 'thread', part: 'thread', revision: ' 0', kind: 'added', authority: 'trusted', ...said };
  const observed = { opening: { history_until: null }, observations: [text] } as Json;
  await journal.append({ type: 'fact', name: 'observed', data: observed });
  const statistics = { modelCalls: 1, toolCalls: 0, inputTokens: 1, outputTokens: 1, durationMs: 1 };
  await journal.finish({ status: 'failed', reason: 'no', finalText: '', statistics });
  await store.finish(uuid);
  const reader = openReader(storage);
  const doorbell = createDoorbell();
  const { controls } = storage;
  const opened: string[] = [];
  const shown: string[] = [];
  const openSource: ConfiguredPlatform['openSource'] = (thread) => {
    opened.push(formatTaskKey(thread.key));
    return createCommentFeeds({}, { doorbell }).openOn(platform)(thread);
  };
  let wakes = 0;
  const makeListener = () =>
    createPausedListener({
      hearing: {
        ...{ controls, textWorker: bed.inheriting.textWorker, logLocale: 'en', now },
        settings: runSettingsShape.comment_detection.parse({}),
        redactSecrets: (text) => text,
        assumes: false,
        approvalPhrases: ['LGTM'],
        shutdown: new AbortController().signal,
      },
      ...{ reactions: true, reader, store, doorbell, logger },
      show: async ({ paused }) => {
        shown.push(...(await store.openOutbox(paused.uuid).list()).map(({ id, state }) => `${id} ${state}`));
      },
      wake: () => {
        wakes += 1;
      },
    });
  const listener = makeListener();
  const trust = { everyone: false, collaborators: true, isNamed: () => false };
  const asked: string[] = [];
  const openThread: typeof platform.openThread = (opened) => {
    const ports = platform.openThread(opened);
    const { getComment } = ports.reader;
    const ask: typeof getComment = async (id, call) => {
      asked.push(id);
      return (await getComment?.(id, call)) ?? null;
    };
    return { ...ports, reader: { ...ports.reader, getComment: ask } };
  };
  const configured = {
    platform: { ...platform, openThread },
    openSource,
    trust,
    botName: null,
  } as Partial<ConfiguredPlatform>;
  const run: HeldRun = {
    paused: { uuid, metadata: (await reader.readRun(uuid)).metadata },
    platform: configured as ConfiguredPlatform,
    standing: 'failed',
  };
  const ring = () => {
    doorbell.ring({ key, commentId: '1', updatedAt: null, deleted: false });
    return wakes;
  };
  const approvals = createApprovals(store.openState(uuid));
  const outbox = store.openOutbox(uuid);
  return { run, listener, makeListener, controls, opened, shown, outbox, asked, ring, approvals };
}

it.each([
  ['thread', { thread_id: 'another' }],
  [
    'repository',
    {
      repository: 'octo/hello',
      repository_id: 'another',
      clone_url: 'x',
      branch: 'y',
      base_branch: 'main',
      own_branch: true,
    },
  ],
])(
  'hears nothing on another %s that has taken the place of the one of the run, and warns once [NX-28]',
  async (_, place) => {
    const { run, listener, opened, controls } = await setUp(place);
    bed.say('alice', '/retry');
    await listener.listen([run]);
    await listener.listen([run]);
    expect(await controls.list()).toEqual([]);
    expect(opened).toEqual([]);
    expect(bed.logged('warn')).toMatchObject([
      {
        err: { message: expect.stringContaining('was when this run started') },
        msg: 'failed to poll comments of paused run',
      },
    ]);
  },
);

it('opens a held thread once, and asks to be woken by its bell until the run is held no more', async () => {
  const { run, listener, opened, ring } = await setUp();
  await listener.listen([run]);
  await listener.listen([run]);
  expect(opened).toHaveLength(1);
  expect(ring()).toBe(1);
  await listener.listen([]);
  expect(ring()).toBe(1);
  await listener.listen([run]);
  expect(opened).toHaveLength(2);
  expect(bed.logged('warn')).toEqual([]);
});

it('passes on what a trusted person commands', async () => {
  const { run, listener, controls } = await setUp();
  bed.clock.ms += 5_000;
  bed.say('alice', '/retry');
  await listener.listen([run]);
  expect(await controls.list()).toMatchObject([{ uuid: run.paused.uuid, verb: 'retry' }]);
});

it('resumes a run that waits for an answer by any word of somebody who may steer [NX-124]', async () => {
  const { run, makeListener, controls } = await setUp();
  const waiting: HeldRun = { ...run, standing: 'paused', waitsFor: 'answer' };
  bed.clock.ms += 5_000;
  bed.say('eve', 'Take cents.');
  await makeListener().listen([waiting]);
  expect(await controls.list()).toEqual([]);
  bed.clock.ms += 20_000;
  bed.say('alice', 'Cents.');
  await makeListener().listen([{ ...waiting, waitsFor: null }]);
  expect(await controls.list()).toEqual([]);
  await makeListener().listen([waiting]);
  expect(await controls.list()).toMatchObject([{ uuid: run.paused.uuid, verb: 'resume' }]);
});

it('resumes a run that waits for an approval by that, and keeps it only where its plan was shown before [NX-123]', async () => {
  const { run, makeListener, controls, approvals } = await setUp();
  const waiting: HeldRun = { ...run, standing: 'paused', waitsFor: 'approval' };
  bed.clock.ms += 5_000;
  bed.say('alice', '/approve');
  bed.clock.ms += 5_000;
  const shownAt = new Date(bed.clock.ms).toISOString();
  await approvals.show({ questionId: 'q1', planHash: 'h1', commentId: '0', shownAt });
  bed.say('eve', '/approve');
  await makeListener().listen([{ ...waiting, waitsFor: null }]);
  expect((await approvals.read())?.given).toBeNull();
  bed.clock.ms += 20_000;
  const commentId = bed.say('alice', '/approve');
  await makeListener().listen([waiting]);
  expect(await controls.list()).toMatchObject([{ uuid: run.paused.uuid, verb: 'resume' }]);
  expect((await approvals.read())?.given).toMatchObject({ by: { login: 'alice' }, commentId });
});

it('resumes a run that waits for an approval where somebody who may steer wants its plan changed [NX-123]', async () => {
  const { run, makeListener, controls, approvals } = await setUp();
  const waiting: HeldRun = { ...run, standing: 'paused', waitsFor: 'approval' };
  bed.clock.ms += 5_000;
  const shownAt = new Date(bed.clock.ms).toISOString();
  await approvals.show({ questionId: 'q1', planHash: 'h1', commentId: '0', shownAt });
  bed.say('eve', 'Do it otherwise.');
  await makeListener().listen([waiting]);
  expect(await controls.list()).toEqual([]);
  bed.clock.ms += 20_000;
  bed.say('alice', 'Leave the tests as they are.');
  await makeListener().listen([waiting]);
  expect(await controls.list()).toMatchObject([{ uuid: run.paused.uuid, verb: 'resume' }]);
  expect((await approvals.read())?.given).toBeNull();
});

it('resumes a run whose plan a trusted user approved by a reaction, for at most one request a minute [NX-123]', async () => {
  const { run, makeListener, controls, approvals } = await setUp();
  const waiting: HeldRun = { ...run, standing: 'paused', waitsFor: 'approval' };
  const commentId = bed.say('agent', 'Approve this?');
  const shownAt = new Date(bed.clock.ms).toISOString();
  await approvals.show({ questionId: 'q1', planHash: 'h1', commentId, shownAt });
  const listener = makeListener();
  const listen = async (ms: number) => {
    bed.clock.ms += ms;
    await listener.listen([waiting]);
    return (await controls.list()).map(({ verb }) => verb);
  };
  bed.platform.people.react(bed.key, { commentId, author: 'eve', name: 'done' });
  expect(await listen(5_000)).toEqual([]);
  bed.platform.people.react(bed.key, { commentId, author: 'alice', name: 'done' });
  expect(await listen(5_000)).toEqual([]);
  expect(await listen(60_000)).toEqual(['resume']);
  expect((await approvals.read())?.given).toMatchObject({ by: { login: 'alice' }, commentId, words: '👍' });
});

it('answers a command by an entry of the run that heard it, which is shown until the platform takes it [NX-129]', async () => {
  const { run, listener, shown, outbox } = await setUp();
  bed.clock.ms += 5_000;
  const refused = bed.say('bob', '/retry');
  const obeyed = bed.say('alice', '/retry');
  await listener.listen([run]);
  const [first, second] = [`reaction:refused:${refused} open`, `reaction:done:${obeyed} open`];
  expect(shown).toEqual([first, first, second]);
  expect(await outbox.list()).toHaveLength(2);
});

it('leaves the answer to a run that is to try again what was refused, and passes on that it is to stop [NX-130]', async () => {
  const { run, listener, shown, outbox, controls } = await setUp();
  bed.clock.ms += 5_000;
  const id = bed.say('alice', '/stop');
  await listener.listen([{ ...run, standing: 'left' }]);
  expect(await controls.list()).toMatchObject([{ uuid: run.paused.uuid, verb: 'stop' }]);
  expect([shown, (await outbox.list()).map((entry) => entry.id)]).toEqual([[], [`reaction:done:${id}`]]);
});

it('passes a command on once, whoever listens next and whatever was asked since [NX-89]', async () => {
  const { run, listener, makeListener, controls } = await setUp();
  bed.clock.ms += 5_000;
  bed.say('alice', '/retry');
  await listener.listen([run]);
  // Carried out, and taken back by somebody; another process listens.
  await controls.remove(run.paused.uuid, ['retry']);
  bed.clock.ms += 5_000;
  await makeListener().listen([run]);
  expect(await controls.list()).toEqual([]);
});

it('asks the platform for no comment that is none: the text of the thread has its own endpoint', async () => {
  const { run, listener, asked } = await setUp();
  for (const looks of [1, 2, 3]) {
    bed.clock.ms += looks * 5_000;
    await listener.listen([run]);
  }
  expect(asked).toEqual([]);
  expect(bed.logged('warn')).toEqual([]);
});

it('says of a thread that it cannot be listened to now, and tries again', async () => {
  const { run, listener, opened } = await setUp();
  bed.platform.failNext({ operation: 'whoAmI', error: new Error('down') });
  await listener.listen([run]);
  expect(bed.logged('warn')).toMatchObject([{ run: run.paused.uuid }]);
  await listener.listen([run]);
  expect(opened).toHaveLength(2);
});
