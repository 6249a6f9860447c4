import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatTaskKey, toTaskKeyJson } from '@agent/platforms';
import { createMemoryPlatform, type MemoryPlatform } from '@agent/platforms/memory';
import type { JsonObject, RunEnd, RunStorage, ShownRun, WholeRunStore } from '@agent/run-store';
import { createFileStorage } from '@agent/run-store/file';
import { createTextWorker } from '@agent/text/worker';
import type { ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { pino } from 'pino';
import { z } from 'zod';
import { runSettingsShape } from '../src/config/run-settings.ts';
import { openReader, parseMessage } from '../src/host/open-records.ts';
import type { RunLogger } from '../src/host/ports.ts';
import {
  createBeginInheritance,
  type InheritanceOptions,
  type RunBeginning,
} from '../src/inheritance/begin-inheritance.ts';
import { createSummarizeRun } from '../src/inheritance/summarize-run.ts';
import { createEarlierRuns, type EarlierRuns, type InheritanceMode } from '../src/past/earlier-runs.ts';
import { createTrust } from '../src/thread/trust.ts';

const policy = { everyone: false, collaborators: true, isNamed: () => false };

/** A run of the bed's thread that has ended. */
export interface PastRun {
  /** Null: it left none. Default `It counts quantities.` */
  readonly summary?: string | null;
  /** Default `completed`. */
  readonly status?: RunEnd['status'];
  /** False for one of which something is open, so that it is not put away. Default true. */
  readonly isSettled?: boolean;
  /** Whether it was told to start afresh. Default false. */
  readonly startsAfresh?: boolean;
  /** Facts of its plan. Default none. */
  readonly planning?: readonly JsonObject[];
  /** Id of the repository that it began in. Default: not kept. */
  readonly repositoryId?: string;
  /** Values of its state, by name. Default none. */
  readonly state?: Readonly<Record<string, JsonObject>>;
}

/** One thread on a platform in memory, and a directory with the runs that it has had. */
export interface PastBed {
  readonly platform: MemoryPlatform;
  readonly key: ReturnType<MemoryPlatform['people']['openIssue']>;
  readonly contexts: string;
  readonly logger: RunLogger;
  readonly earlierRuns: EarlierRuns;
  readonly readRun: (uuid: string) => Promise<Pick<ShownRun<unknown>, 'uuid' | 'state' | 'history'>>;
  readonly store: WholeRunStore<ModelMessage>;
  /** What a run that begins inherits with. */
  readonly inheriting: InheritanceOptions;
  /** Milliseconds since 1970, for everything. */
  readonly clock: { ms: number };
  /** The storage, as a process that begins now opens it. */
  readonly openStorage: () => RunStorage;
  /** Adds a run that ends a minute later. @returns its uuid */
  readonly addRun: (run?: PastRun) => Promise<string>;
  readonly say: (author: string, body: string) => string;
  /** What a run that begins a minute later finds out. */
  readonly begin: (place?: { readonly repositoryId?: string }) => Promise<RunBeginning>;
  /** Lines of the log at this level, as JSON. */
  readonly logged: (level: 'info' | 'warn' | 'error') => readonly Readonly<Record<string, unknown>>[];
  readonly close: () => Promise<void>;
}

const levels = { info: 30, warn: 40, error: 50 } as const;
const minuteMs = 60_000;

/** Alice may write, Bob may read. */
export async function makePastBed(
  context_inheritance: object = {},
  { mode }: { readonly mode?: InheritanceMode } = {},
): Promise<PastBed> {
  const contexts = await mkdtemp(join(tmpdir(), 'past-'));
  const clock = { ms: Date.parse('2026-03-01T12:00:00Z') };
  const now = () => clock.ms;
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ errorKey: 'err' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const platform = createMemoryPlatform({
    repositories: [{ path: 'octo/hello', files: {}, access: { alice: 'write', bob: 'read' } }],
    now: () => new Date(clock.ms),
  });
  const key = platform.people.openIssue({ repository: 'octo/hello', author: 'alice', title: 'x' });
  const thread = { taskKeyText: formatTaskKey(key), host: platform.host };
  const places = { baseDirectory: contexts, pausedDirectory: join(contexts, 'paused') };
  const openStorage = () => createFileStorage({ ...places, now, logger });
  const config = z.object(runSettingsShape).parse({ context_inheritance });
  const storage = openStorage();
  const owner = await storage.members.acquire();
  const store = storage.openStore<ModelMessage>({ owner, parseMessage });
  const { readRun } = openReader(storage);
  const textWorker = createTextWorker();
  const earlierRuns = createEarlierRuns({
    config: config.context_inheritance,
    mode,
    contextLength: 8_000,
    storage: { ...storage, index: { ...storage.index, open: () => openStorage().index.open() } },
    readRun,
    secrets: ['hunter2-hunter2'],
    textWorker,
    logLocale: 'en',
    timeZone: config.time_zone,
    now,
  });
  const summarizeRun = createSummarizeRun({
    modelFor: () => new MockLanguageModelV4({ provider: 'none', modelId: 'none' }),
    contextLength: 8_000,
    shares: { thread: 2_000 },
    maxRetries: 2,
    redactOutgoing: (text) => text,
    shutdown: new AbortController().signal,
    now,
  });
  const inheriting = {
    earlierRuns,
    summarizeRun,
    store,
    readRun,
    textWorker,
    stepTimeoutMs: 600_000,
    botUsername: null,
    now,
    logger,
  };
  return {
    platform,
    key,
    contexts,
    logger,
    earlierRuns,
    readRun,
    store,
    inheriting,
    clock,
    openStorage,
    addRun: async ({
      summary = 'It counts quantities.',
      status = 'completed',
      isSettled = true,
      startsAfresh = false,
      planning = [],
      repositoryId,
      state: values = {},
    } = {}) => {
      const uuid = randomUUID();
      const named = { ...thread, taskKey: toTaskKeyJson(key), user: 'alice', config: {} };
      const at = { inheritance_barrier_at: new Date(clock.ms).toISOString() };
      const place = repositoryId === undefined ? {} : { repository_id: repositoryId };
      const extra = { ...(startsAfresh ? at : {}), ...place };
      const { journal, finalSummary, state } = await store.open({ uuid, ...named, extra });
      for (const data of planning) await journal.append({ type: 'fact', name: 'planning', data });
      for (const [name, value] of Object.entries(values)) await state.write(name, value);
      if (summary !== null) {
        const message = { role: 'assistant', content: 'Done.' } as const;
        await journal.append({ type: 'message', message, usage: null, delivers: [] });
        const usage = { inputTokens: 1, outputTokens: 1 };
        await finalSummary.append({ text: summary, fields: {}, usage }, { now: clock.ms });
      }
      clock.ms += minuteMs;
      const statistics = { modelCalls: 1, toolCalls: 0, inputTokens: 1, outputTokens: 1, durationMs: 1 };
      const intents = isSettled ? [] : [{ id: 'end:label', kind: 'label', data: {} }];
      await journal.finish({ status, reason: null, finalText: 'Done.', statistics }, { intents });
      await (isSettled ? store.finish(uuid) : store.index(uuid));
      return uuid;
    },
    say: (author, body) => platform.people.comment(key, { author, body }),
    begin: async ({ repositoryId } = {}) => {
      clock.ms += minuteMs;
      const opened = platform.openThread(key);
      const listing = await opened.comments.listComments({ since: null });
      const ownAccount = await platform.identity.whoAmI();
      const issue = await opened.reader.readThread();
      return createBeginInheritance(inheriting)({
        thread: { ...thread, repositoryId },
        snapshot: { thread: issue, listing },
        issue,
        readTextAuthors: async () => [issue.author],
        isTrusted: createTrust({ policy, permissions: opened.permissions, ownAccount, now: () => clock.ms }),
        ownAccount,
        botName: null,
        locale: 'en',
      });
    },
    logged: (level) => lines.filter((line) => line.level === levels[level]),
    close: async () => {
      await owner.release();
      await rm(contexts, { recursive: true, force: true });
    },
  };
}
