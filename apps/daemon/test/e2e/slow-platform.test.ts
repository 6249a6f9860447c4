import { afterEach, describe, expect, it } from 'vitest';
import {
  type DaemonProcess,
  quickWaits,
  runDaemonCommand,
  startDaemonProcess,
} from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
let daemon: DaemonProcess | null = null;
afterEach(async () => {
  daemon?.child.kill('SIGKILL');
  await daemon?.exited;
  await world?.close();
  [world, daemon] = [null, null];
});

describe('a platform that answers slowly', () => {
  it('is named by all views with the class of its requests, while the daemon stays ready; notices of the start are listed apart [NX-17, NX-319, NX-430]', async () => {
    world = await startWorld({
      script: fixScript,
      config: { http: { port: 0 }, poll_interval_seconds: 1 },
    });
    // The clock of the daemon runs a hundred times faster: 30 ms are 3 s.
    world.gitHub.fail({ kind: 'slow', delayMs: 30, times: 'always' });
    daemon = startDaemonProcess(world.configFile, {
      flags: ['--log-format', 'json'],
      nodeArguments: quickWaits,
    });
    await daemon.printed(/serving HTTP endpoints/);
    const url = /"url":"(http:[^"]+)","msg":"serving/.exec(daemon.output())?.[1] ?? '';
    const readReadiness = async () => {
      const answer = await fetch(`${url}/readyz`);
      return { code: answer.status, body: await answer.json() };
    };
    const problem = {
      ...{ cause: 'platform_slow', scope: 'github', state: 'waiting', what: 'Requests to github are slow' },
      since: expect.any(String),
      reason: expect.stringMatching(/^[\w.-]+ takes \d+\.\d s \(median of the last 10 requests\)$/),
    };
    await expect
      .poll(readReadiness, { timeout: 30_000 })
      .toMatchObject({ code: 200, body: { status: 'degraded', problems: [problem] } });
    await daemon.printed(/"cause":"platform_slow".*"msg":"service problem started"/);
    const status = await runDaemonCommand(world.configFile, ['status']);
    expect(status.output).toContain('Problem: Requests to github are slow');
    expect(status.output).toContain('Notices: commands: commands run without a sandbox');
    const readService = async () => {
      const { output } = await runDaemonCommand(world?.configFile ?? '', ['status', '--json']);
      return JSON.parse(output).service;
    };
    await expect.poll(readService, { timeout: 30_000 }).toMatchObject({
      problems: [problem],
      notices: expect.arrayContaining([
        expect.objectContaining({ cause: 'no_sandbox', area: 'commands' }),
        expect.objectContaining({
          what: expect.stringContaining('the default branch main is not protected'),
        }),
      ]),
    });
  });
});
