import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryPlatform } from '@agent/platforms';
import { createFileRunControls } from '@agent/run-store/file';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runSettingsShape } from '../config/run-settings.ts';
import { createDetectionRecord } from '../inbox/detection-record.ts';
import { createCommandRecord } from '../inbox/handled-commands.ts';
import { createRunInbox } from '../inbox/run-inbox.ts';
import { createTextGuard } from '../inbox/text-guard.ts';
import { createTrust } from '../inbox/trust.ts';
import { createLabelTrigger } from '../triggers/label-trigger.ts';
import { createCallWithRetry } from './call-with-retry.ts';
import { createHandoverRecords, createRecheckAfterFinish, toRecordedThread } from './handover-records.ts';
import type { Run } from './run.ts';

const uuid = '5f0d2d7c-6d1e-4a52-9f35-0f6d0c6f2a11';
const labels = {
  ...{ waiting: 'agent', processing: 'works', completed: 'done' },
  ...{ failed: 'failed', paused: 'paused', stopped: 'stopped' },
};
const startedAt = '2026-03-01T10:00:00Z';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'recheck-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true });
});

/** A run that completed, on a thread where Alice may steer and Bob may not. */
async function setUp() {
  const clock = { ms: Date.parse(startedAt) };
  const now = () => clock.ms;
  const platform = createMemoryPlatform({
    now: () => new Date(clock.ms),
    repositories: [{ path: 'octo/hello', files: {}, access: { alice: 'write', bob: 'read' } }],
  });
  const key = platform.people.openIssue({ author: 'alice', title: 'T' });
  const ports = platform.openThread(key);
  const ownAccount = await platform.identity.whoAmI();
  const policy = { everyone: false, collaborators: true, isNamed: () => false };
  const isTrusted = createTrust({ policy, permissions: ports.permissions, ownAccount, now });
  const logged: string[] = [];
  const logger = pino({ base: null }, { write: (line) => void logged.push(JSON.parse(line).msg) });
  const { signal: shutdown } = new AbortController();
  const sleep = async (milliseconds: number) => {
    clock.ms += milliseconds;
  };
  const state = { read: async () => null, write: async () => {} };
  const inbox = createRunInbox({
    ...{ uuid, ownAccount, botName: null, isTrusted, logger },
    comments: ports.comments,
    guard: createTextGuard({ nonce: uuid, clean: async (text) => text, isTrusted, logger }),
    controls: createFileRunControls({ baseDirectory: directory }),
    settings: runSettingsShape.comment_detection.parse({}),
    logLocale: 'en',
    record: {
      ...createDetectionRecord({ journal: { read: async function* () {} }, state, startedAt, logger }),
      commands: createCommandRecord(state),
      listHeard: async () => [],
    },
    acknowledge: () => {},
    clock: { now: () => new Date(clock.ms), monotonicNow: now, sleep },
  });
  await inbox.begin(await ports.comments.listComments({ since: null }));
  const handovers = createHandoverRecords(join(directory, 'handovers'), { logger });
  const say = (author: string, body: string): string => {
    clock.ms += 1_000;
    return platform.people.comment(key, { author, body });
  };
  return {
    say,
    logged,
    /** Checks again, and tells what is recorded and which labels the thread has. */
    recheck: async (finalCommentId: string, { isEnabled = true, canLabel = true } = {}) => {
      const trigger = createLabelTrigger(platform, labels);
      const thread = {
        ports: canLabel ? ports : { ...ports, labels: null },
        platform: { platform, trigger, trust: policy },
      };
      const run = { uuid, facts: { handover: null }, startedAt, thread, logger } as unknown as Run;
      const callWithRetry = createCallWithRetry({ sleep, shutdown });
      const openRunInbox = async () => inbox;
      await createRecheckAfterFinish({ isEnabled, openRunInbox, handovers, callWithRetry })(
        run,
        finalCommentId,
      );
      const restored = await handovers.read(toRecordedThread(key, platform));
      return { restored, labels: (await ports.reader.readThread()).labels };
    },
  };
}

it('a thread waits for a run again where somebody who may steer spoke before the final comment, and the record says who [NX-24]', async () => {
  const { say, recheck, logged } = await setUp();
  const late = say('alice', 'One more thing.');
  const final = say('agent', 'Done.');
  expect(await recheck(final)).toMatchObject({
    restored: { by: { login: 'alice' }, since: startedAt, commentId: late },
    labels: [labels.waiting],
  });
  expect(logged).toContain('a comment came too late for this run; its thread waits for another');
});

it('a thread stays finished where nobody who may steer spoke before the final comment [NX-24]', async () => {
  const { say, recheck, logged } = await setUp();
  say('bob', 'Do mine, too.');
  const final = say('agent', 'Done.');
  say('alice', 'Thank you.');
  expect(await recheck(final)).toEqual({ restored: null, labels: [] });
  expect(logged).not.toContain('a comment came too late for this run; its thread waits for another');
});

it.each([{ isEnabled: false }, { canLabel: false }])(
  'a thread stays finished where it is not listened to, or cannot show that it waits: %o [NX-24]',
  async (options) => {
    const { say, recheck } = await setUp();
    say('alice', 'One more thing.');
    expect(await recheck(say('agent', 'Done.'), options)).toEqual({ restored: null, labels: [] });
  },
);
