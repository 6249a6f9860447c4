import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, createMemoryPlatform, type PlatformThread } from '@agent/platforms';
import { createFileRunControls } from '@agent/run-store/file';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { runSettingsShape } from '../config/run-settings.ts';
import type { EarlierDeliveries } from './delivered-comments.ts';
import { createRunInbox, type RunInboxOptions } from './run-inbox.ts';
import { createTextGuard } from './text-guard.ts';

const uuid = '5f0d2d7c-6d1e-4a52-9f35-0f6d0c6f2a11';
const directories: string[] = [];
afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
});

interface LoggedLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** A thread, and ears for one run on it: made again, they are those of the next process. */
async function setUp(settings: object = {}, options: Partial<RunInboxOptions> = {}) {
  const clock = { ms: Date.parse('2026-03-01T10:00:00Z') };
  const platform = createMemoryPlatform({
    now: () => new Date(clock.ms),
    repositories: [{ path: 'octo/hello', files: {}, access: { alice: 'write', bob: 'read' } }],
  });
  const key = platform.people.openIssue({ repository: 'octo/hello', author: 'alice', title: 'x' });
  const directory = await mkdtemp(join(tmpdir(), 'run-inbox-'));
  directories.push(directory);
  const controls = createFileRunControls({ baseDirectory: directory });
  const logged: LoggedLine[] = [];
  const logger = pino(
    { level: 'debug', base: null },
    { write: (line) => void logged.push(JSON.parse(line)) },
  );
  const isTrusted = async (account: Account | null) => account?.login === 'alice';
  const kept: unknown[] = [];
  const openRunInbox = (earlier: EarlierDeliveries = { state: null, delivered: [] }) => {
    const thread: PlatformThread = platform.openThread(key);
    return createRunInbox({
      uuid,
      comments: thread.comments,
      ownAccount: { id: '999', login: 'agent', kind: 'bot' },
      botName: null,
      isTrusted,
      guard: createTextGuard({ nonce: uuid, clean: async (text) => text, isTrusted, logger }),
      controls,
      settings: runSettingsShape.comment_detection.parse(settings),
      startedAt: '2026-03-01T09:59:59Z',
      logLocale: 'ja',
      earlier,
      save: (state) => void kept.push(JSON.parse(JSON.stringify(state))),
      acknowledge: () => {},
      logger,
      clock: {
        now: () => new Date(clock.ms),
        monotonicNow: () => clock.ms,
        sleep: async (milliseconds) => {
          clock.ms += milliseconds;
        },
      },
      ...options,
    });
  };
  const say = (author: string, body: string): string => {
    clock.ms += 1_000;
    return platform.people.comment(key, { author, body });
  };
  const snapshot = () => platform.openThread(key).comments.listComments({ since: null });
  const lines = (level: number) => logged.filter((line) => line.level === level).map(({ msg }) => msg);
  return { platform, key, clock, controls, logged, lines, kept, openRunInbox, say, snapshot };
}

type Ears = ReturnType<Awaited<ReturnType<typeof setUp>>['openRunInbox']>;

/** What the model is told at a checkpoint; it counts as delivered. */
async function hear(ears: Ears, barrier = false): Promise<string | null> {
  const { delivery } = await ears.inbox.takeDelivery({ barrier });
  if (delivery !== null) ears.inbox.markDelivered(delivery.receipt);
  return delivery?.text ?? null;
}

describe('ears of a run', () => {
  it('repeat nothing and lose nothing when the process dies between the snapshot and the first line [NX-2, X14]', async () => {
    const { openRunInbox, say, snapshot, kept, clock } = await setUp();
    say('alice', 'first');
    await openRunInbox().begin(await snapshot());
    say('alice', 'second');
    const ears = openRunInbox({ state: kept.at(-1), delivered: [] });
    await ears.begin(await snapshot());
    expect(await hear(ears, true)).toBeNull();
    clock.ms += 2_000;
    say('alice', 'third');
    expect(await hear(ears)).toContain('third');
    expect(ears.summarize().comments).toMatchObject([{ delivered: true }]);
  });

  it('account for what was commanded, and say where it stands [NX-8, RL-2]', async () => {
    const { openRunInbox, say, snapshot, clock } = await setUp();
    const ears = openRunInbox();
    await ears.begin(await snapshot());
    say('bob', '/stop');
    const stop = say('alice', '/stop');
    clock.ms += 2_000;
    await hear(ears, true);
    const heard = ears.summarize().comments;
    expect(heard.map(({ author, command }) => [author, command])).toEqual([
      ['bob', { name: 'stop', outcome: 'refused' }],
      ['alice', { name: 'stop', outcome: 'obeyed' }],
    ]);
    const { comments } = await snapshot();
    expect(heard[1]?.url).toBe(comments.find(({ id }) => id === stop)?.url);
    expect(heard[1]?.url).toMatch(/^https?:/);
  });

  it.each([
    [true, 'alice'],
    [false, undefined],
  ])(
    'go on at the end for somebody whose role, asked about afresh, is still there: %s [NX-24]',
    async (isThere, login) => {
      const isTrusted: RunInboxOptions['isTrusted'] = async (account, { fresh = false } = {}) =>
        account?.login === 'alice' && (isThere || !fresh);
      const { openRunInbox, say, snapshot } = await setUp({}, { isTrusted });
      const ears = openRunInbox();
      await ears.begin(await snapshot());
      say('alice', 'One more thing.');
      const final = say('agent', 'Done.');
      expect((await ears.findUnanswered(final))?.by.login).toBe(login);
    },
  );

  it('obey what was commanded while no process carried a run that had not begun, once [RL-2, RL-9, NX-4]', async () => {
    const { openRunInbox, say, snapshot, kept, controls, platform, key, clock } = await setUp();
    const old = say('alice', '/stop the last one');
    await openRunInbox().begin(await snapshot(), { wasHeard: () => false });
    expect(await controls.read(uuid)).toEqual(['stop']);
    await controls.remove(uuid, ['stop']);
    say('bob', '/stop');
    const heard = say('alice', '/resume');
    const state = kept.at(-1);
    const takeUp = async () => {
      await openRunInbox({ state, delivered: [] }).begin(await snapshot(), {
        wasHeard: ({ comment }) => comment.id === heard,
      });
      return controls.read(uuid);
    };
    expect(await takeUp()).toEqual([]);
    clock.ms += 2_000;
    platform.people.editComment(key, old, 'Hold on.\n/pause');
    expect(await takeUp()).toEqual(['pause']);
    // What that process kept says that it is known, whoever takes the run up next.
    await controls.remove(uuid, ['pause']);
    await openRunInbox({ state: kept.at(-1), delivered: [] }).begin(await snapshot(), {
      wasHeard: () => false,
    });
    expect(await controls.read(uuid)).toEqual([]);
  });

  it('know from the journal alone what the first prompt told, however far our clock is from the platform’s [NX-2, X14]', async () => {
    for (const ownTime of ['2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z']) {
      const { platform, key, openRunInbox, say, snapshot } = await setUp({}, { clock: skewed(ownTime) });
      const ids = [say('alice', 'first'), say('alice', 'second')];
      const { delivers } = await openRunInbox().begin(await snapshot());
      expect(delivers.map(({ id }) => id)).toEqual(ids);
      say('alice', 'third');
      platform.people.editComment(key, ids[0] ?? '', 'first, mended');
      const ears = openRunInbox({ state: null, delivered: [{ delivers, opening: true }] });
      const told = await hear(ears);
      expect(told).toContain('third');
      expect(told).toMatch(/\[Comment Edited by @alice\]:[\s\S]*first, mended/);
      expect(told).not.toContain('second');
      expect(ears.summarize().comments.map(({ kind }) => kind)).toEqual(['edited', 'added']);
    }
  });

  it('hold back a bot that says too much, say so once, and hear it later [NX-11]', async () => {
    const { openRunInbox, say, snapshot, clock, lines } = await setUp();
    const ears = openRunInbox();
    await ears.begin(await snapshot());
    for (let count = 1; count <= 21; count += 1) say('noise[bot]', `pong ${count}`);
    say('alice', 'A person speaks.');
    const told = await hear(ears);
    expect(told).toContain('A person speaks.');
    expect(told).not.toContain('pong');
    clock.ms += 2_000;
    expect(await hear(ears)).toBeNull();
    expect(lines(40)).toEqual([
      'a bot says too much in too short a time; it is heard again when it is quieter',
    ]);
    clock.ms += 10 * 60_000;
    expect(await hear(ears)).toContain('pong 21');
  });

  it('hear nothing of those who are ignored, nor of the agent itself [CD-4, CD-15, CD-44, B17]', async () => {
    const { openRunInbox, say, snapshot } = await setUp({ ignore_users: ['Bob'] }, { botName: 'Robot' });
    const ears = openRunInbox();
    await ears.begin(await snapshot());
    for (const author of ['bob', 'robot', 'robot[bot]']) say(author, 'not this');
    say('alice', 'this');
    expect(await hear(ears)).toMatch(/^\[New Comment from @alice\]:\n[\s\S]*this/);
  });

  it('log in the words and at the levels of the seed [CD-42, CD-49, CD-50, CD-51, CD-52]', async () => {
    const { platform, openRunInbox, say, snapshot, lines, clock } = await setUp();
    const ears = openRunInbox();
    await ears.begin(await snapshot());
    await hear(ears);
    say('alice', 'one');
    say('alice', 'two');
    await hear(ears);
    clock.ms += 2_000;
    platform.failNext({ operation: 'listComments', error: new Error('offline') });
    await hear(ears);
    expect(lines(20)).toEqual([`新規コメントなし (Task: ${uuid})`]);
    expect(lines(30)).toEqual([
      `新規コメントを検出しました: 2件 (Task: ${uuid})`,
      `新規コメントをコンテキストに追加しました: 2件 (Task: ${uuid})`,
    ]);
    expect(lines(40)).toEqual([`コメント取得中にエラー発生: offline (Task: ${uuid})`]);
    expect(ears.summarize().statistics).toEqual({
      detection_events: 1,
      detected_comments: 2,
      added_comments: 2,
      errors: 1,
    });
  });

  it('say up to when the thread was read where the look before the end could not be made [B21]', async () => {
    const { platform, openRunInbox, snapshot, clock } = await setUp();
    const ears = openRunInbox();
    await ears.begin(await snapshot());
    await hear(ears, true);
    expect(ears.summarize().readUntil).toBeNull();
    const readUntil = new Date(clock.ms).toISOString();
    clock.ms += 60_000;
    platform.failNext({ operation: 'listComments', error: new Error('offline') });
    await hear(ears, true);
    expect(ears.summarize().readUntil).toBe(readUntil);
    clock.ms += 60_000;
    await hear(ears, true);
    expect(ears.summarize().readUntil).toBeNull();
  });

  it('count nothing where nothing is listened to [CD-39]', async () => {
    const { openRunInbox, say, snapshot } = await setUp({ enabled: false });
    const ears = openRunInbox();
    await ears.begin(await snapshot());
    say('alice', '/stop');
    expect(await hear(ears, true)).toBeNull();
    expect(ears.summarize().statistics).toBeNull();
  });
});

describe('commands', () => {
  it('hold in the order in which they were given, and once each [RL-2, RL-5]', async () => {
    const { openRunInbox, say, snapshot, controls } = await setUp();
    const ears = openRunInbox();
    await ears.begin(await snapshot());
    say('alice', '/pause');
    say('alice', '/resume');
    say('bob', '/stop');
    await ears.runCommands();
    expect(await controls.read(uuid)).toEqual(['resume']);
    await controls.remove(uuid, ['resume']);
    expect(await hear(ears, true)).toContain('The command /pause. It was carried out');
    expect(await controls.read(uuid)).toEqual([]);
  });

  it('leave what else the comment says to the model [NX-4]', async () => {
    const { openRunInbox, say, snapshot } = await setUp();
    const ears = openRunInbox();
    await ears.begin(await snapshot());
    say('alice', 'Make the header blue.\n/pause until Monday\nAnd the footer red.');
    const told = await hear(ears);
    expect(told).toMatch(/Make the header blue\.\n\(The command \/pause\..*\)\nAnd the footer red\./);
    expect(told).not.toContain('until Monday');
  });
});

/** Our own clock, which stands still far from the platform's; its spacing passes with each look. */
function skewed(iso: string): NonNullable<RunInboxOptions['clock']> {
  let ticks = 0;
  return { now: () => new Date(iso), monotonicNow: () => (ticks += 10_000), sleep: async () => {} };
}
