// @module-tag full
import { join } from 'node:path';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { connectPostgres, createPostgresStorage } from '@agent/run-store/postgres';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { describe, expect, it } from 'vitest';
import { createSettings, parseRunSettings } from '../src/config/index.ts';
import { createOrchestrator, type WorkRole } from '../src/index.ts';
import { createPaidModel, price } from './paid-model.ts';
import { useSharedPlace } from './shared-place.ts';

const place = useSharedPlace('raised');

const settings = parseRunSettings({
  planning: { enabled: false },
  tools: { run_command: { sandbox: 'off', allow_root: true } },
  // One call.
  limits: { max_cost: { day: 0.0002 } },
  llm: { prices: { 'mock-model-id': price }, max_retries: 0 },
});
const work = { limits: settings.limits, concurrency: 1, poll_interval_seconds: 0.05 };

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
  const storage = createPostgresStorage({ database, schema: place.schema });
  const live = createSettings(work);
  const orchestrator = createOrchestrator({
    ...{ platforms: [platform], model: createPaidModel(), storage, role, settings, live },
    directory: join(place.directory, role),
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
    place.ends.push(looker.end, worker.end);
    await expect.poll(() => at.commentsOf('money'), waiting).toBe(1);
    looker.raise();
    worker.raise();
    await expect.poll(() => at.commentsOf('final'), waiting).toBe(1);
    expect(at.commentsOf('money')).toBe(1);
  }, 240_000);

  it('continues in another process once the limit is raised, if that worker has ended [NX-196]', async () => {
    const at = openPlatform();
    const looker = await start('look', at);
    place.ends.push(looker.end);
    const first = await start('work', at);
    await expect.poll(() => at.commentsOf('money'), waiting).toBe(1);
    await first.end();
    const second = await start('work', at);
    place.ends.push(second.end);
    second.raise();
    looker.raise();
    await expect.poll(() => at.commentsOf('final'), waiting).toBe(1);
  }, 240_000);
});
