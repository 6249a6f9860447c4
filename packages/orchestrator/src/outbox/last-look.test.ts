import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { createFileStorage } from '@agent/run-store/file';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openMemoryOutbox } from '../../test/memory-outbox.ts';
import { runSettingsShape } from '../config/run-settings.ts';
import { createCommandRecord } from '../inbox/handled-commands.ts';
import { createRunInbox } from '../inbox/run-inbox.ts';
import { endIds, listEndIntents } from '../intents/intents.ts';
import type { Run } from '../run/run.ts';
import { createDetectionRecord } from '../thread/detection-record.ts';
import { createTextGuard } from '../thread/text-guard.ts';
import { createTrust } from '../thread/trust.ts';
import {
  createHandoverRecords,
  createUnansweredRecords,
  toRecordedThread,
} from '../triggers/handover-records.ts';
import { createLabelTrigger } from '../triggers/label-trigger.ts';
import { createLastLook, type LookedFor } from './last-look.ts';
import { createPerformEntry } from './perform-entry.ts';

const uuid = '5f0d2d7c-6d1e-4a52-9f35-0f6d0c6f2a11';
const labels = {
  ...{ waiting: 'agent', processing: 'works', completed: 'done' },
  ...{ failed: 'failed', paused: 'paused', stopped: 'stopped' },
};
const startedAt = '2026-03-01T10:00:00Z';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'last-look-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true });
});

/** A run that has ended, on a thread where Alice may steer and Bob may not. */
async function setUp() {
  const clock = { ms: Date.parse(startedAt) };
  const now = () => clock.ms;
  const platform = createMemoryPlatform({
    now: () => new Date(clock.ms),
    repositories: [{ path: 'octo/hello', files: {}, access: { alice: 'write', bob: 'read' } }],
  });
  const key = platform.people.openIssue({ author: 'alice', title: 'T' });
  const ports = platform.openThread(key);
  const storage = createFileStorage({ baseDirectory: directory });
  const ownAccount = await platform.identity.whoAmI();
  const policy = { everyone: false, collaborators: true, isNamed: () => false };
  const isTrusted = createTrust({ policy, permissions: ports.permissions, ownAccount, now });
  const logger = pino({ level: 'silent' });
  const state = { read: async () => null, write: async () => {} };
  const inbox = createRunInbox({
    ...{ uuid, ownAccount, botName: null, isTrusted, logger },
    comments: ports.comments,
    guard: createTextGuard({ nonce: uuid, clean: async (text) => text, isTrusted, logger }),
    controls: storage.controls,
    settings: runSettingsShape.comment_detection.parse({}),
    logLocale: 'en',
    record: {
      ...createDetectionRecord({ journal: { read: async function* () {} }, state, startedAt, logger }),
      commands: createCommandRecord(state),
      listHeard: async () => [],
    },
    acknowledge: async () => {},
    clock: {
      now: () => new Date(clock.ms),
      monotonicNow: now,
      sleep: async (milliseconds: number) => {
        clock.ms += milliseconds;
      },
    },
  });
  await inbox.begin(await ports.comments.listComments({ since: null }));
  const handovers = createHandoverRecords(storage.notes, { logger });
  const unanswered = createUnansweredRecords(storage.notes);
  const openRunInbox = async () => inbox;
  const looks = [true, false].map((isEnabled) =>
    createLastLook({ isEnabled, openRunInbox, handovers, unanswered }),
  );
  const named = toRecordedThread(key, platform);
  return {
    ...{ platform, clock },
    say: (author: string, body: string): string => {
      clock.ms += 1_000;
      return platform.people.comment(key, { author, body });
    },
    edit: (id: string, body: string): void => {
      clock.ms += 1_000;
      platform.people.editComment(key, id, body);
    },
    /** Looks again, and tells what is kept for whom. */
    /** Carries out the look as an entry, after a run that ended with this comment. @returns the final comment as it is to be now */
    lookAsEntry: async (
      finalCommentId: string,
      finalComment: string,
      outbox = openMemoryOutbox({ now }),
    ): Promise<string | null> => {
      const thread = { ports, platform: { platform } };
      const facts = { handover: null, locale: 'en' };
      const run = { uuid, facts, startedAt, thread, outbox, logger } as unknown as Run;
      const end = { uuid, status: 'failed', finalComment, takes: null } as const;
      for (const intent of listEndIntents(end)) await outbox.open(intent);
      await outbox.settle(endIds.comment, { state: 'done', made: { id: finalCommentId, url: 'https://x' } });
      await outbox.settle(endIds.label, { state: 'done', made: {} });
      const entries = await outbox.list();
      const entry = entries.find(({ id }) => id === endIds.look);
      const [lastLook] = looks;
      if (entry === undefined || lastLook === undefined) throw new Error('no look');
      const perform = createPerformEntry({
        lastLook,
        readOverview: () => Promise.reject(new Error('unread')),
      });
      await perform(run, { entry, entries });
      const late = (await outbox.list()).findLast(({ id }) => id.startsWith(endIds.late));
      return late === undefined ? null : (late.data as { readonly body: string }).body;
    },
    look: async (asked: Partial<LookedFor>, { isEnabled = true, canLabel = true } = {}) => {
      const trigger = createLabelTrigger(platform, labels);
      const shownPorts = canLabel ? ports : { ...ports, labels: null };
      const thread = { ports: shownPorts, platform: { platform, trigger, trust: policy } };
      const outbox = openMemoryOutbox({ now });
      const run = { uuid, facts: { handover: null }, startedAt, thread, outbox, logger } as unknown as Run;
      const lastLook = looks[isEnabled ? 0 : 1];
      if (lastLook === undefined) throw new Error('no look');
      const endedAt = new Date(clock.ms).toISOString();
      const late = await lastLook(run, { finalCommentId: null, endedAt, returns: true, ...asked });
      return {
        found: late.flatMap(({ comment, by }) => (by === null ? [] : [comment.id])),
        kept: await unanswered.read(named),
        restored: await handovers.read(named),
        opened: (await outbox.list()).map(({ id, data }) => ({ id, data })),
      };
    },
  };
}

const returned = [{ id: 'end:return', data: { state: 'waiting', takes: null } }];

it('what somebody who may steer said before the final comment is kept for the next run, and makes the thread wait for it [NX-24, NX-96]', async () => {
  const { say, look } = await setUp();
  const late = [say('alice', 'One more thing.'), say('alice', 'And another.')];
  say('bob', 'Do mine, too.');
  const finalCommentId = say('agent', 'Done.');
  say('alice', 'Thank you.');
  expect(await look({ finalCommentId })).toMatchObject({
    found: late,
    kept: late,
    restored: { by: { login: 'alice' }, since: startedAt, commentId: late[0] },
    opened: returned,
  });
});

it('what was said after the report was composed and before it stood there is added to it, whoever said it [NX-8]', async () => {
  const { say, lookAsEntry } = await setUp();
  say('bob', 'Mind the tax.');
  say('alice', 'One more thing.');
  const final = say('agent', 'Failed.');
  say('bob', 'Said to a run that has ended.');
  const amended = await lookAsEntry(final, 'Failed.\n\n### 💬 Comments during the run\n\n- A line.');
  expect(amended?.replaceAll(/\[[^\]]*\]\([^)]*\)/g, '(link)')).toBe(
    'Failed.\n\n### 💬 Comments during the run\n\n- A line.\n\n' +
      '- `@bob`, (link): new comment, not delivered\n' +
      '- `@alice`, (link): new comment, too late for this run, will be delivered to the next run',
  );
  expect(await lookAsEntry(final, amended ?? '')).toBeNull();
});

it('a look that is repeated after a crash has the last word in the report, however many comments each of them found [NX-160]', async () => {
  const { platform, clock, say, lookAsEntry } = await setUp();
  const outbox = openMemoryOutbox({ now: () => clock.ms });
  say('bob', 'Mind the tax.');
  const final = say('agent', 'Done.');
  expect(await lookAsEntry(final, 'Done.', outbox)).toMatch(/not delivered$/);
  platform.people.grant('octo/hello', 'bob', 'write');
  // A refusal counts for ten seconds.
  clock.ms += 11_000;
  expect(await lookAsEntry(final, 'Done.', outbox)).toMatch(/will be delivered to the next run$/);
  await lookAsEntry(final, 'Done.', outbox);
  const accounts = (await outbox.list()).filter(({ id }) => id.startsWith(endIds.late));
  expect(accounts.map(({ id }) => id)).toEqual(['end:late:1', 'end:late:2']);
});

it('a comment that nobody was told of counts from when it was written, however late its typo is mended [NX-96]', async () => {
  const { say, edit, look } = await setUp();
  const late = say('alice', 'One mroe thing.');
  const finalCommentId = say('agent', 'Done.');
  edit(late, 'One more thing.');
  expect(await look({ finalCommentId })).toMatchObject({ found: [late], opened: returned });
});

it('a run that failed or was stopped keeps it for the next one as well, and asks for none [NX-96]', async () => {
  const { say, look } = await setUp();
  const late = say('alice', 'One more thing.');
  const finalCommentId = say('agent', 'Failed.');
  const looked = await look({ finalCommentId, returns: false });
  expect(looked).toMatchObject({ found: [late], kept: [late], restored: null, opened: [] });
});

it('what stands beside a /stop reaches the next run; the command itself is answered by the end [NX-96]', async () => {
  const { say, look } = await setUp();
  const late = [say('alice', 'Take the other table.')];
  say('alice', '/stop');
  late.push(say('alice', 'And tell me when.'));
  const finalCommentId = say('agent', 'Stopped.');
  expect(await look({ finalCommentId, returns: false })).toMatchObject({
    found: late,
    kept: late,
    opened: [],
  });
});

it('a look that cannot be made, or a role that cannot be asked, says nothing: it is made again [NX-96]', async () => {
  const { platform, clock, say, look } = await setUp();
  const late = say('alice', 'One more thing.');
  const finalCommentId = say('agent', 'Done.');
  for (const [operation, times] of [
    ['listComments', 1],
    ['accessOf', 2],
  ] as const) {
    platform.failNext({ operation, error: new Error('down'), times });
    await expect(look({ finalCommentId })).rejects.toThrow('down');
    clock.ms += 60_000;
  }
  expect(await look({ finalCommentId })).toMatchObject({ found: [late] });
});

it('a list that never shows the final comment is decided at the fifth look, by the time at which it was written [NX-96]', async () => {
  const { clock, say, look } = await setUp();
  const late = say('alice', 'One more thing.');
  const endedAt = new Date(clock.ms).toISOString();
  for (let count = 0; count < 4; count += 1)
    await expect(look({ finalCommentId: '999', endedAt })).rejects.toMatchObject({ code: 'unavailable' });
  expect(await look({ finalCommentId: '999', endedAt })).toMatchObject({ found: [late] });
});

it.each([
  [{ isEnabled: false }, { found: 0, opened: [] }],
  [{ canLabel: false }, { found: 1, opened: [] }],
])(
  'a thread does not wait where it is not listened to, or cannot show that it waits: %o [NX-24]',
  async (options, { found, opened }) => {
    const { say, look } = await setUp();
    say('alice', 'One more thing.');
    const looked = await look({ finalCommentId: say('agent', 'Done.') }, options);
    expect([looked.found.length, looked.opened]).toEqual([found, opened]);
  },
);
