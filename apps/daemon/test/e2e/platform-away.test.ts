import { afterEach, describe, expect, it } from 'vitest';
import { type DaemonProcess, quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { repository, startWorld, type World } from '../support/world.ts';

let world: World | null = null;
let daemon: DaemonProcess | null = null;
afterEach(async () => {
  daemon?.child.kill('SIGKILL');
  await daemon?.exited;
  await world?.close();
  [world, daemon] = [null, null];
});

const label = { labels: ['coding agent'], author: 'alice', repo: repository };

describe('a platform that is away when the daemon starts', () => {
  it('is waited for: the daemon is up but not ready, says why, and then works', async () => {
    world = await startWorld({
      script: fixScript,
      config: { http: { port: 0 }, poll_interval_seconds: 0.2 },
    });
    const { gitHub } = world;
    gitHub.fail({ path: '/user', kind: 'server-error', times: 6 });
    daemon = startDaemonProcess(world.configFile, {
      flags: ['--log-format', 'json'],
      nodeArguments: quickWaits,
    });
    await daemon.printed(/serving HTTP endpoints/);
    const url = /"url":"(http:[^"]+)","msg":"serving/.exec(daemon.output())?.[1] ?? '';
    const ready = await fetch(`${url}/readyz`);
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
    expect(daemon.output().match(/waiting for platform/g)).toHaveLength(1);
    gitHub.openIssue({ ...label, title: 'The total is wrong', body: 'It forgets the quantity.' });
    await daemon.printed(/finished task/);
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it('ends a process that runs once', async () => {
    world = await startWorld({ script: fixScript });
    world.gitHub.fail({ path: '/user', kind: 'server-error', times: 100 });
    const { code, output } = await startDaemonProcess(world.configFile, { nodeArguments: quickWaits }).exited;
    expect([code, output.includes('waiting for platform')]).toEqual([1, false]);
  });
});
