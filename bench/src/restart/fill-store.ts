import { randomUUID } from 'node:crypto';
import type { NewRun } from '@agent/run-store';
import { createFileRunControls, createFileRunStore } from '@agent/run-store/file';
import type { ModelMessage } from 'ai';
import { sampleMessages } from '../journal/sample-messages.ts';
import { withoutSync } from '../journal/without-sync.ts';

export interface KeptRunCounts {
  readonly paused: number;
  readonly completed: number;
}

export interface FillStoreOptions extends KeptRunCounts {
  readonly baseDirectory: string;
  /** Host of the platform that the runs belong to. */
  readonly host: string;
}

const messagesOfARun = 20;
const parseMessage = (json: unknown) => json as ModelMessage;

/** The store as the daemon opens it. */
export function openStore(baseDirectory: string) {
  return createFileRunStore({ baseDirectory, parseMessage });
}

/** Leaves behind what a daemon would have: paused runs, which somebody's request holds, and completed ones. */
export function fillStore(options: FillStoreOptions): Promise<void> {
  return withoutSync(async () => {
    const store = openStore(options.baseDirectory);
    const { baseDirectory } = options;
    const controls = createFileRunControls({ baseDirectory });
    for (let number = 1; number <= options.paused + options.completed; number += 1) {
      const run = newRun(number, options);
      const { journal } = await store.open(run);
      for (const message of sampleMessages(messagesOfARun, 'long')) {
        await journal.append({ type: 'message', message, usage: null, delivers: [] });
      }
      if (number <= options.paused) {
        await store.pause(run.uuid, { lastError: null, planningState: null });
        await controls.request(run.uuid, 'pause');
      } else {
        await journal.finish(completed);
        await store.finish(run.uuid);
      }
    }
  });
}

const statistics = {
  modelCalls: 10,
  toolCalls: 10,
  inputTokens: 9_000,
  outputTokens: 900,
  durationMs: 60_000,
};
const completed = { status: 'completed', reason: null, finalText: 'Done.', statistics } as const;

function newRun(number: number, { host }: FillStoreOptions): NewRun {
  return {
    uuid: randomUUID(),
    taskKey: { type: 'github_issue', owner: 'acme', repo: 'shop', number },
    taskKeyText: `github_issue:acme:shop:${number}`,
    host,
    user: 'alice',
    config: { llm_provider: 'openai', model: 'scripted-model' },
    extra: toFacts(number, host),
  };
}

/** Facts of a run as the daemon keeps them, which it reads to hear the thread of one that waits. */
function toFacts(number: number, host: string): NewRun['extra'] {
  const [title, url] = [`Issue ${number}`, `http://${host}/acme/shop/issues/${number}`];
  const place = { kind: 'issue', number, title, url, locale: 'en', thread_id: null, thread_updated_at: null };
  const said = { said_before: [], unanswered: [], assigned: false, handover: null, belongs_to: null };
  const repository = { repository: 'acme/shop', repository_id: null, own_branch: true };
  const branches = { branch: `agent/issue-${number}`, base_branch: 'main' };
  return { ...place, ...said, ...repository, ...branches, clone_url: `http://${host}/acme/shop.git` };
}
