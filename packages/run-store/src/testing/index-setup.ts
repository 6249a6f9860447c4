import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createFileRunStore } from '../file/file-run-store.ts';
import { createExpiryFiles } from '../index/expiry-files.ts';
import { createFileTaskIndex } from '../index/file-task-index.ts';
import { createRunIndexer } from '../index/read-indexed-run.ts';
import type { IndexedRun, NewRun } from '../index.ts';
import { createLog, end, newRun, parseMessage } from './store-setup.ts';

const hash = '3576f43e92686789e41d37d7fc87967ba1040d69754ae0bf61ca7792f54a818c';
/** The task of the tests of an index. */
export const task = { taskKeyHash: hash, host: 'github.com' };

/** A run that ended, in all its fields. */
export function indexedRun(fields: Partial<IndexedRun> = {}): IndexedRun {
  return {
    uuid: randomUUID(),
    ...task,
    taskKey: { type: 'github_issue', owner: 'octo', repo: 'cat', number: 42 },
    taskKeyText: 'github_issue:octo:cat:42',
    status: 'completed',
    statusInferred: false,
    createdAt: '2026-03-01T12:00:00.000Z',
    completedAt: '2026-03-01T12:30:00.000Z',
    processId: 7,
    hostname: 'box',
    user: 'mona',
    llmProvider: 'openai',
    model: 'a-model',
    contextLength: 128_000,
    llmCallCount: 1,
    toolCallCount: 2,
    totalTokens: 7,
    compressionCount: 1,
    errorMessage: null,
    inheritedFromUuid: null,
    inheritanceDepth: 0,
    inheritanceBarrierAt: null,
    finalSummary: { id: 1, summary: 'Fixed.' },
    ...fields,
  };
}

interface HouseOptions {
  readonly time?: () => number;
  /** Told how far the end of a run has come. */
  readonly onStep?: (step: string) => void;
}

/** The store and the index of one directory, put together as an app does. */
export function openHouse(baseDirectory: string, options: HouseOptions = {}) {
  const { logger, messages } = createLog();
  const { time: now = () => Date.parse('2026-03-01T12:30:00Z'), onStep = () => {} } = options;
  const common = { baseDirectory, logger, now };
  const index = createFileTaskIndex({ ...common, sleep: async () => {} });
  const expiry = createExpiryFiles(common);
  const indexRun = createRunIndexer({
    index: {
      put: async (run) => {
        onStep('before the index');
        await index.put(run);
        onStep('index');
      },
    },
    expiry: {
      add: async (run) => {
        await expiry.add(run);
        onStep('expiry');
      },
    },
    logger,
  });
  const afterSync = ({ file }: { file: string }) => onStep(file);
  const store = createFileRunStore({
    ...common,
    parseMessage,
    hostname: 'box',
    processId: 7,
    openIndex: async () => ({ indexRun }),
    afterSync,
  });
  return {
    index,
    expiry,
    store,
    log: messages,
    recordPath: join(baseDirectory, 'index', hash.slice(0, 2), `${hash}.json`),
    /** Opens a run, gives it a summary and an end, and finishes it. */
    endRun: async (fields: Partial<NewRun> = {}) => {
      const uuid = fields.uuid ?? randomUUID();
      const { journal } = await store.open({ ...newRun(uuid), ...fields });
      await journal.replaceContext([], { startSeq: 0, endSeq: 0, text: `What ${uuid} did.` });
      await journal.finish(end);
      await store.finish(uuid);
      return uuid;
    },
  };
}
