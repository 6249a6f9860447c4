import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, formatTaskKey, type PlatformThread, toTaskKeyJson } from '@agent/platforms';
import { createMemoryPlatform } from '@agent/platforms/memory';
import type { NewRun, OpenRun } from '@agent/run-store';
import { createFileRunControls, createFileRunStore } from '@agent/run-store/file';
import type { ModelMessage } from 'ai';
import { pino } from 'pino';
import { afterEach } from 'vitest';
import { runSettingsShape } from '../src/config/run-settings.ts';
import { parseMessage } from '../src/host/open-records.ts';
import { readHeardComments } from '../src/inbox/delivered-comments.ts';
import { createCommandRecord } from '../src/inbox/handled-commands.ts';
import { createRunInbox } from '../src/inbox/run-inbox.ts';
import type { RunInboxOptions } from '../src/inbox/run-inbox-options.ts';
import { createDetectionRecord } from '../src/thread/detection-record.ts';
import { createTextGuard } from '../src/thread/text-guard.ts';
import { withThreadText } from '../src/thread/thread-text.ts';

export const uuid = '5f0d2d7c-6d1e-4a52-9f35-0f6d0c6f2a11';
const directories: string[] = [];
afterEach(async () => {
  for (const directory of directories.splice(0))
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
});

interface LoggedLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

interface BedOptions {
  readonly author?: string;
  /** Opens the record of the run. Default: in files. */
  readonly openRecord?: (run: NewRun) => Promise<Pick<OpenRun<ModelMessage>, 'journal' | 'state'>>;
}

/** A thread, and an inbox for one run on it, with a record on disk: made again, it is that of the next process. */
export async function setUp(
  settings: object = {},
  { author = 'alice', openRecord, ...options }: Partial<RunInboxOptions> & BedOptions = {},
) {
  const clock = { ms: Date.parse('2026-03-01T10:00:00Z') };
  const platform = createMemoryPlatform({
    now: () => new Date(clock.ms),
    repositories: [{ path: 'octo/hello', files: {}, access: { alice: 'write', bob: 'read' } }],
  });
  const key = platform.people.openIssue({
    repository: 'octo/hello',
    author,
    title: 'x',
    body: 'Make it blue.',
  });
  const directory = await mkdtemp(join(tmpdir(), 'run-inbox-'));
  directories.push(directory);
  const controls = createFileRunControls({ baseDirectory: directory });
  const logged: LoggedLine[] = [];
  const logger = pino(
    { level: 'debug', base: null },
    { write: (line) => void logged.push(JSON.parse(line)) },
  );
  const isTrusted = async (account: Account | null) => account?.login === 'alice';
  const now = () => clock.ms;
  const metadata = { taskKeyText: formatTaskKey(key), host: 'memory', taskKey: toTaskKeyJson(key) };
  const openFiles = (run: NewRun) =>
    createFileRunStore<ModelMessage>({ baseDirectory: directory, now, parseMessage }).open(run);
  const run = { uuid, ...metadata, user: 'alice', config: {}, extra: {} };
  const { journal, state } = await (openRecord ?? openFiles)(run);
  const ownAccount = { id: '999', login: 'agent', kind: 'bot' } as const;
  const openRunInbox = () => {
    const thread: PlatformThread = platform.openThread(key);
    const ears = createRunInbox({
      uuid,
      comments: withThreadText(
        { listComments: thread.comments.listComments, getComment: thread.reader.getComment },
        { reader: thread.reader, ownAccount, now, logger },
      ),
      record: {
        ...createDetectionRecord({ journal, state, startedAt: '2026-03-01T10:00:00Z', logger }),
        commands: createCommandRecord(state),
        listHeard: () => readHeardComments({ journal, state, logger }),
      },
      ownAccount,
      botName: null,
      isTrusted,
      guard: createTextGuard({ nonce: uuid, clean: async (text) => text, isTrusted, logger }),
      controls,
      settings: runSettingsShape.comment_detection.parse(settings),
      logLocale: 'ja',
      acknowledge: async () => {},
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
    return { ...ears, journal };
  };
  const say = (author: string, body: string): string => {
    clock.ms += 1_000;
    return platform.people.comment(key, { author, body });
  };
  const snapshot = async () => {
    const { comments, reader } = platform.openThread(key);
    return { ...(await comments.listComments({ since: null })), thread: await reader.readThread() };
  };
  const lines = (level: number) => logged.filter((line) => line.level === level).map(({ msg }) => msg);
  return {
    platform,
    key,
    clock,
    controls,
    logged,
    lines,
    journal,
    state,
    directory,
    openRunInbox,
    say,
    snapshot,
  };
}

export type Ears = ReturnType<Awaited<ReturnType<typeof setUp>>['openRunInbox']>;

/** What the model is told at a checkpoint; it counts as delivered. */
export async function hear(ears: Ears, barrier = false): Promise<string | null> {
  const { delivery } = await ears.inbox.takeDelivery({ barrier });
  if (delivery === null) return null;
  const message = { role: 'user' as const, content: delivery.text };
  await ears.journal.append({ type: 'message', message, usage: null, delivers: delivery.receipt.delivers });
  ears.inbox.markDelivered(delivery.receipt);
  return delivery.text;
}

/** The model answers what it was told so far. */
export async function answer({ journal }: Pick<Ears, 'journal'>): Promise<void> {
  const message = { role: 'assistant' as const, content: 'Yes.' };
  const usage = { inputTokens: 1, outputTokens: 1 };
  await journal.append({ type: 'message', message, usage, delivers: [] });
}

/** The conversation begins: its first line says what the prompt was made from. */
export async function open(ears: Ears, ...[snapshot, takenUp]: Parameters<Ears['begin']>): Promise<void> {
  const { delivers } = await ears.begin(snapshot, takenUp);
  await ears.journal.append({
    type: 'message',
    message: { role: 'user', content: 'Do it.' },
    usage: null,
    delivers,
    opens: 1,
  });
}
