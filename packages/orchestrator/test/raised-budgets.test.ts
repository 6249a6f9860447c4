// @module-tag full
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { connectPostgres, createPostgresStorage } from '@agent/run-store/postgres';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSettings, parseRunSettings } from '../src/config/index.ts';
import { createOrchestrator, type WorkRole } from '../src/index.ts';

let directory: string;
let schema: string;
let ends: (() => Promise<unknown>)[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'raised-'));
  schema = `raised_${randomUUID().replaceAll('-', '').slice(0, 20)}`;
  ends = [];
});
afterEach(async () => {
  await Promise.all(ends.map((end) => end()));
  await rm(directory, { recursive: true, force: true });
});

/** A token of an answer costs a millionth of the currency. */
const price = { input: 0, output: 1, max_output_tokens: 400 };
const settings = parseRunSettings({
  planning: { enabled: false },
  tools: { run_command: { sandbox: 'off', allow_root: true } },
  // One call.
  limits: { max_cost: { day: 0.0002 } },
  llm: { prices: { 'mock-model-id': price }, max_retries: 0 },
});
const work = { limits: settings.limits, concurrency: 1, poll_interval_seconds: 0.05 };

/** A model that uses a tool first and then answers. */
function createModel() {
  let calls = 0;
  return new MockLanguageModelV4({
    doGenerate: async ({ tools = [] }) => {
      calls += 1;
      const isWork = tools.length > 0 && calls === 1;
      const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'list_files', input: '{}' } as const;
      return {
        content: [isWork ? call : { type: 'text', text: 'Counted.' }],
        finishReason: { unified: isWork ? 'tool-calls' : 'stop', raw: undefined },
        usage: {
          inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 300, text: 300, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
}

function openPlatform() {
  const platform = createMemoryPlatform({
    answersOnly: true,
    repositories: [{ path: 'octo/hello', files: {}, access: { alice: 'write' } }],
  });
  const key = platform.people.openIssue({ author: 'alice', title: 'Apples', body: 'Count them.' });
  platform.people.assign(key, ['agent'], { by: 'alice' });
  const commentsOf = (topic: string) =>
    platform.people.commentsOn(key).filter(({ body }) => body.includes(`:${topic} -->`)).length;
  return { platform, commentsOf };
}

/** Starts a process with this part in the work on the platform. */
async function start(role: WorkRole, { platform }: Pick<ReturnType<typeof openPlatform>, 'platform'>) {
  const database = await connectPostgres({ url: await findSharedPostgres() });
  const storage = createPostgresStorage({ database, schema });
  const live = createSettings(work);
  const orchestrator = createOrchestrator({
    ...{ platforms: [platform], model: createModel(), storage, role, settings, live },
    directory: join(directory, role),
  });
  const ending = new AbortController();
  const running = orchestrator.run({ signal: ending.signal });
  const end = async () => {
    ending.abort();
    await running;
    await storage.close();
  };
  return { end, raise: () => live.replace({ ...work, limits: parseRunSettings({}).limits }) };
}

const waiting = { timeout: 90_000, interval: 50 };

describe('a run of a worker that waits for the budget of the day', () => {
  it('continues once the limit is raised, long before midnight, if the worker is reloaded last [NX-196]', async () => {
    const at = openPlatform();
    const looker = await start('look', at);
    const worker = await start('work', at);
    ends.push(looker.end, worker.end);
    await expect.poll(() => at.commentsOf('money'), waiting).toBe(1);
    looker.raise();
    worker.raise();
    await expect.poll(() => at.commentsOf('final'), waiting).toBe(1);
    expect(at.commentsOf('money')).toBe(1);
  }, 240_000);

  it('continues in another process once the limit is raised, if that worker has ended [NX-196]', async () => {
    const at = openPlatform();
    const looker = await start('look', at);
    ends.push(looker.end);
    const first = await start('work', at);
    await expect.poll(() => at.commentsOf('money'), waiting).toBe(1);
    await first.end();
    const second = await start('work', at);
    ends.push(second.end);
    second.raise();
    looker.raise();
    await expect.poll(() => at.commentsOf('final'), waiting).toBe(1);
  }, 240_000);
});
