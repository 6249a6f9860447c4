import { appendFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon-process.ts';
import { answerScript, fixScript } from '../support/fix-script.ts';
import { repository, startWorld, token, type World } from '../support/world.ts';

let world: World | null = null;
let daemon: DaemonProcess | null = null;
afterEach(async () => {
  daemon?.child.kill('SIGKILL');
  await daemon?.exited;
  await world?.close();
  [world, daemon] = [null, null];
});

const openIssue = (at: World) =>
  at.gitHub.openIssue({
    repo: repository,
    author: 'alice',
    title: `The total is wrong ${token}`,
    body: 'It forgets the quantity.',
    labels: ['coding agent'],
  });

/** Starts a daemon that serves HTTP, and finds out where. */
async function startServing(at: World): Promise<{ readonly running: DaemonProcess; readonly url: string }> {
  const running = startDaemonProcess(at.configFile, { flags: ['--log-format', 'json'] });
  daemon = running;
  await running.printed(/serving HTTP endpoints/);
  const url = /"url":"(http:[^"]+)","msg":"serving/.exec(running.output())?.[1] ?? '';
  return { running, url };
}

describe('the HTTP endpoints of a running daemon', () => {
  it('show a task while it runs and what it cost when it has ended', async () => {
    const during: { tasks?: string; metrics?: string } = {};
    let url = '';
    const headers = { authorization: 'Bearer metrics-token-0123456789' };
    const at = await startWorld({
      script: fixScript,
      config: { http: { port: 0, metrics_token_file: 'metrics-token' }, poll_interval_seconds: 0.2 },
      onModelRequest: async () => {
        during.tasks ??= await (await fetch(`${url}/tasks.json`, { headers })).text();
        during.metrics ??= await (await fetch(`${url}/metrics`, { headers })).text();
      },
    });
    world = at;
    await writeFile(join(dirname(at.configFile), 'metrics-token'), 'metrics-token-0123456789\n');
    const { running, url: served } = await startServing(at);
    url = served;
    const { number } = openIssue(at);
    await running.printed(/finished task/);

    expect(JSON.parse(during.tasks ?? '')).toMatchObject({
      running: [
        { task: `${repository}#${number}`, title: 'The total is wrong [REDACTED]', step: 1, tool: null },
      ],
      queued: [],
      service: expect.objectContaining({ status: 'ready' }),
      paused: [],
      recent: [],
    });
    expect(during.tasks).not.toContain('forgets the quantity');
    expect(during.metrics).toContain('agent_daemon_tasks{state="running"} 1');

    expect((await fetch(`${url}/metrics`)).status).toBe(401);
    const after = await fetch(`${url}/metrics`, { headers });
    expect(after.headers.get('content-type')).toContain('application/openmetrics-text');
    const metrics = await after.text();
    expect(metrics).toContain('agent_daemon_runs_started_total 1');
    expect(metrics).toContain('agent_daemon_model_calls_total 6');
    expect(metrics).toContain('agent_daemon_tool_calls_total{status="success"} 4');
    expect(metrics).toMatch(/agent_daemon_platform_requests_total\{platform="github"\} [1-9]\d/);
    const { recent } = (await (await fetch(`${url}/tasks.json`, { headers })).json()) as { recent: unknown };
    expect(recent).toMatchObject([{ task: `${repository}#${number}`, status: 'completed' }]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it('are gone when the daemon has ended, which they do not hold up [RL-12]', async () => {
    const at = await startWorld({ script: answerScript, config: { http: { port: 0 } } });
    world = at;
    const { running, url } = await startServing(at);
    await fetch(`${url}/healthz`);
    running.child.kill('SIGTERM');
    expect((await running.exited).code).toBe(143);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  it('do not exist unless a port is set', async () => {
    const at = await startWorld({ script: answerScript });
    world = at;
    const { output } = await startDaemonProcess(at.configFile).exited;
    expect(output).not.toContain('serving');
  });

  it('say at start that the port is taken', async () => {
    const at = await startWorld({ script: answerScript });
    world = at;
    const { port, hostname } = new URL(at.model.baseUrl);
    await appendFile(at.configFile, `http: { port: ${port}, host: ${hostname} }\n`);
    const exit = await startDaemonProcess(at.configFile).exited;
    expect(exit.code).toBe(1);
    expect(exit.output).toContain(`Cannot listen on ${hostname}:${port} (EADDRINUSE). Set another http.port`);
  });
});

describe('the output of a daemon without a terminal', () => {
  it('is plain lines without control sequences', { tags: ['full'] }, async () => {
    const at = await startWorld({ script: answerScript });
    world = at;
    openIssue(at);
    const { output, code } = await startDaemonProcess(at.configFile, {
      flags: ['--once', '--log-format', 'pretty'],
    }).exited;
    expect(code).toBe(0);
    expect(output).toContain('finished task');
    expect(output).not.toContain('\u001b');
  });
});
