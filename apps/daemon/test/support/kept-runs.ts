import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ownership, RunEnd } from '@agent/run-store';
import { acquireOwnership, createFileRunStore } from '@agent/run-store/file';

/** A directory with runs in it, as a daemon leaves them. */
export interface KeptRuns {
  readonly directory: string;
  readonly contexts: string;
  readonly configFile: string;
  /** Makes a run of `acme/shop#{number}`; `state` says where it is left. */
  readonly add: (run: KeptRun) => Promise<void>;
  /** Has this process own the directory, under the number of some process, until all is closed. */
  readonly own: (pid?: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface KeptRun {
  readonly uuid: string;
  readonly number: number;
  readonly state: 'running' | 'paused' | RunEnd['status'];
  readonly title?: string | undefined;
  /** Reason of its outcome. Default none. */
  readonly reason?: string | undefined;
  /** What the assistant says in it. */
  readonly says?: string | undefined;
  /** What it takes over. */
  readonly inherited?: { readonly from: string; readonly depth: number; readonly tokens: number } | undefined;
}

type Message = { readonly role: string; readonly content: unknown };

export async function makeKeptRuns(config = ''): Promise<KeptRuns> {
  const directory = await mkdtemp(join(tmpdir(), 'daemon-runs-'));
  const contexts = join(directory, 'contexts');
  const configFile = join(directory, 'agent.config.yaml');
  await writeFile(configFile, `platforms: { github: { repositories: [acme/shop] } }\n${config}`);
  let owner: Ownership | null = null;
  const store = createFileRunStore<Message>({
    baseDirectory: contexts,
    parseMessage: (json) => json as Message,
    now: () => Date.parse('2026-01-01T23:00:00Z'),
  });
  return {
    directory,
    contexts,
    configFile,
    add: (run) => addRun(store, run),
    own: async (pid = process.pid) => {
      owner = await acquireOwnership({ baseDirectory: contexts });
      const record = join(contexts, 'lock.json');
      await writeFile(record, JSON.stringify({ ...JSON.parse(await readFile(record, 'utf8')), pid }));
    },
    close: async () => {
      await owner?.release();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function addRun(store: ReturnType<typeof createFileRunStore<Message>>, run: KeptRun): Promise<void> {
  const { uuid, number, state, title = 'The total is wrong', says = 'Done.', inherited, reason = null } = run;
  const { journal } = await store.open({
    uuid,
    taskKey: { type: 'github_issue', owner: 'acme', repo: 'shop', number },
    taskKeyText: `github_issue:acme:shop:${number}`,
    host: 'github.com',
    user: 'alice',
    config: { model: 'scripted-model' },
    extra: {
      title,
      number,
      url: `https://github.com/acme/shop/issues/${number}`,
      branch: 'agent/issue-1-x',
      ...(inherited ? { inherited_tokens: inherited.tokens } : {}),
    },
    inheritedFromUuid: inherited?.from,
    inheritanceDepth: inherited?.depth,
  });
  await journal.append({
    type: 'message',
    message: { role: 'user', content: 'Please mend it.' },
    usage: null,
    delivers: [{ id: '1', revision: 'a', kind: 'added' }],
  });
  const call = { toolCallId: 'c1', tool: 'read_file', args: { path: 'total.js' } };
  await journal.append({
    type: 'message',
    message: { role: 'assistant', content: says },
    usage: { inputTokens: 100, outputTokens: 20 },
    delivers: [],
  });
  await journal.append({ type: 'tool-started', ...call });
  await journal.append({
    type: 'tool-finished',
    ...call,
    status: 'error',
    output: 'no file',
    durationMs: 12,
  });
  if (state === 'running') return;
  if (state === 'paused') {
    await store.pause(uuid, { lastError: null, planningState: null });
    return;
  }
  const statistics = { modelCalls: 1, toolCalls: 1, inputTokens: 100, outputTokens: 20, durationMs: 65_000 };
  const details = { final_comment: 'All is well.', branch: 'agent/issue-1-x', change_request: null };
  await journal.finish({ status: state, reason, finalText: says, statistics, details });
  await store.finish(uuid);
}
