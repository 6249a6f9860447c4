// @module-tag full
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findSharedPostgres, startProxy, type TcpProxy } from '@agent/simulators/postgres';
import { afterEach, describe, expect, it } from 'vitest';
import { type DaemonProcess, quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { repository, startWorld, type World } from '../support/world.ts';

let world: World | null = null;
let daemon: DaemonProcess | null = null;
let proxy: TcpProxy | null = null;
afterEach(async () => {
  daemon?.child.kill('SIGKILL');
  await daemon?.exited;
  await world?.close();
  await proxy?.close();
  [world, daemon, proxy] = [null, null, null];
});

/** Starts the daemon, and waits until it serves what its state is. */
async function startServed(at: World) {
  const started = startDaemonProcess(at.configFile, {
    flags: ['--log-format', 'json'],
    nodeArguments: quickWaits,
  });
  daemon = started;
  await started.printed(/serving HTTP endpoints/);
  const url = /"url":"(http:[^"]+)","msg":"serving/.exec(started.output())?.[1] ?? '';
  return { started, url, readiness: () => fetch(`${url}/readyz`) };
}

interface Readiness {
  readonly conditions: readonly { readonly part: string; readonly state: string }[];
}

const stateOf = async (answer: Response, part: string) =>
  ((await answer.json()) as Readiness).conditions.find((one) => one.part === part)?.state;

const label = { labels: ['coding agent'], author: 'alice', repo: repository };

describe('a platform that is away when the daemon starts', () => {
  it('is waited for: the daemon is up but not ready, says why, and then works', async () => {
    world = await startWorld({
      script: fixScript,
      config: { http: { port: 0 }, poll_interval_seconds: 0.2 },
    });
    const { gitHub } = world;
    gitHub.fail({ path: '/user', kind: 'server-error', times: 6 });
    const { started, url, readiness } = await startServed(world);
    const ready = await readiness();
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      status: 'not-ready',
      conditions: expect.arrayContaining([
        expect.objectContaining({
          part: 'platforms',
          state: 'waiting',
          reason: expect.stringMatching(/GitHub/),
        }),
      ]),
    });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(started.output().match(/waiting for platform/g)).toHaveLength(1);
    gitHub.openIssue({ ...label, title: 'The total is wrong', body: 'It forgets the quantity.' });
    await started.printed(/finished task/);
    await expect.poll(async () => (await readiness()).status).toBe(200);
  });

  it('is waited for when an account of trust cannot be looked up', { tags: ['release'] }, async () => {
    world = await startWorld({ script: fixScript, config: { http: { port: 0 }, trust: ['alice'] } });
    world.gitHub.fail({ path: '/users/alice', kind: 'server-error', times: 6 });
    const { started, readiness } = await startServed(world);
    expect((await readiness()).status).toBe(503);
    await started.printed(/platforms are available/);
    await expect.poll(async () => (await readiness()).status).toBe(200);
  });

  it('ends a process that runs once', async () => {
    world = await startWorld({ script: fixScript });
    world.gitHub.fail({ path: '/user', kind: 'server-error', times: 100 });
    const { code, output } = await startDaemonProcess(world.configFile, { nodeArguments: quickWaits }).exited;
    expect([code, output.includes('waiting for platform')]).toEqual([1, false]);
  });
});

describe('a model that is away when the daemon starts', () => {
  it('is waited for: the daemon is up, says why, and works once the model is back', {
    tags: ['release'],
  }, async () => {
    world = await startWorld({
      script: fixScript,
      config: { http: { port: 0 }, poll_interval_seconds: 0.2 },
    });
    world.model.misbehave({ kind: 'status', status: 503 }, { times: 4 });
    world.gitHub.openIssue({ ...label, title: 'The total is wrong', body: 'It forgets the quantity.' });
    const { started } = await startServed(world);
    await started.printed(/finished task/);
    expect(world.thread(1).labels).toContain('coding agent done');
  });
});

describe('a database that is away when the daemon starts', () => {
  it('is waited for: the daemon is up but not ready, says why, and then works', {
    timeout: 120_000,
  }, async () => {
    const shared = new URL(await findSharedPostgres());
    proxy = await startProxy({ port: Number(shared.port) });
    proxy.set('refuses');
    const schema = `away_${randomUUID().replaceAll('-', '')}`;
    world = await startWorld({
      script: fixScript,
      config: { http: { port: 0 }, poll_interval_seconds: 0.2, storage: { postgres: { schema } } },
    });
    shared.port = String(proxy.port);
    await writeFile(join(world.directory, '.env'), `DATABASE_URL=${shared.href}\n`);
    const { started, url, readiness } = await startServed(world);
    const answer = await readiness();
    expect([answer.status, await stateOf(answer, 'database')]).toEqual([503, 'waiting']);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    proxy.set(null);
    world.gitHub.openIssue({ ...label, title: 'The total is wrong', body: 'It forgets the quantity.' });
    await started.printed(/finished task/);
    await expect.poll(async () => (await readiness()).status).toBe(200);
  });
});
