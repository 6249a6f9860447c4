import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { TaskBoard } from '../board/task-board.ts';
import type { HttpSources } from './http-sources.ts';
import { isAllowedHost } from './is-allowed-host.ts';
import { type HttpServer, startHttpServer } from './start-http-server.ts';

let server: HttpServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

const board = () => new TaskBoard({ now: () => 1_000 });
const secret = 'ghp_0123456789abcdefghij0123456789abcdef';

async function start(at: TaskBoard, sources: Partial<HttpSources> = {}): Promise<string> {
  server = await startHttpServer(
    {
      board: () => at.state,
      queued: () => ['github.com github_issue:acme:shop:2'],
      history: async () => ({ paused: [{ uuid: 'u2' }], recent: [] }),
      redact: (text) => text.replaceAll(secret, '[REDACTED]'),
      startedAt: 0,
      now: () => 61_000,
      memory: () => ({ rss: 1, heapUsed: 1 }),
      toleratedMs: 60_000,
      host: '127.0.0.1',
      webhooks: [],
      onError: () => {},
      ...sources,
    },
    { port: 0 },
  );
  return server.url;
}

/** fetch does not let a Host header be set. */
function statusWithHost(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { host }, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once('error', reject).end();
  });
}

describe('GET /healthz', () => {
  it('says ok with the time since the start, and tolerates a platform that just began to fail', async () => {
    const at = board();
    const url = await start(at, { now: () => 60_999 });
    at.observe({ type: 'look', platform: 'github', error: 'down' });
    const response = await fetch(`${url}/healthz`);
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: 'ok', uptime_seconds: 60, failing: {} },
    ]);
  });

  it('says 503 when looks at a platform have failed for long, and names why without secrets', async () => {
    const at = board();
    const url = await start(at);
    at.observe({ type: 'look', platform: 'github', error: `refused ${secret}` });
    const response = await fetch(`${url}/healthz`);
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: 'failing', uptime_seconds: 61, failing: { github: 'refused [REDACTED]' } },
    ]);
  });

  it('says 503 as soon as the daemon ends', async () => {
    const at = board();
    at.observe({ type: 'shutdown' });
    const response = await fetch(`${await start(at)}/healthz`);
    expect([response.status, ((await response.json()) as { status: string }).status]).toEqual([
      503,
      'ending',
    ]);
  });
});

describe('GET /metrics', () => {
  it('answers OpenMetrics with its content type', async () => {
    const response = await fetch(`${await start(board())}/metrics`);
    expect(response.headers.get('content-type')).toBe(
      'application/openmetrics-text; version=1.0.0; charset=utf-8',
    );
    const text = await response.text();
    expect(text).toContain('agent_daemon_tasks{state="queued"} 1');
    expect(text.endsWith('# EOF\n')).toBe(true);
  });

  it('still answers when the directories cannot be read', async () => {
    const errors: unknown[] = [];
    const history = () => Promise.reject(new Error('EIO'));
    const url = await start(board(), { history, onError: (error) => errors.push(error) });
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
    expect((await fetch(`${url}/tasks.json`)).status).toBe(500);
    expect(errors).toHaveLength(2);
  });
});

describe('GET /tasks.json', () => {
  it('lists what runs, waits and is paused, without secrets', async () => {
    const at = board();
    const task = { uuid: 'u1', name: 'acme/shop#1', title: `t ${secret}`, url: 'http://x/1' };
    const stage = { subphase: 'collection', done: 1, total: 3 } as const;
    at.observe({ type: 'task-begin', task, resumed: false });
    at.observe({ type: 'preparation', uuid: 'u1', stage });
    const url = await start(at);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('\nagent_daemon_tasks_preparing 1\n');
    const response = await fetch(`${url}/tasks.json`);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      running: [
        {
          uuid: 'u1',
          task: 'acme/shop#1',
          title: 't [REDACTED]',
          url: 'http://x/1',
          since: '1970-01-01T00:00:01.000Z',
          preparation: stage,
          step: 0,
          tool: null,
          tokens: 0,
        },
      ],
      queued: [{ task: 'github.com github_issue:acme:shop:2' }],
      paused: [{ uuid: 'u2' }],
      recent: [],
    });
  });
});

describe('the server', () => {
  it('answers no host name but its own, so that no page on the web can read it', async () => {
    const url = await start(board());
    expect(await statusWithHost(`${url}/healthz`, 'evil.example')).toBe(421);
    expect(await statusWithHost(`${url}/healthz`, '127.0.0.1.evil.example:80')).toBe(421);
    expect(await statusWithHost(`${url}/healthz`, 'localhost:1234')).toBe(200);
  });

  it('is read only and says what there is', async () => {
    const url = await start(board());
    expect((await fetch(`${url}/tasks.json`, { method: 'POST' })).status).toBe(404);
    expect(await (await fetch(url)).text()).toContain('/healthz');
  });

  it('says which address it cannot have', async () => {
    const { port } = new URL(await start(board()));
    const again = startHttpServer({ host: '127.0.0.1', webhooks: [] as const } as unknown as HttpSources, {
      port: Number(port),
    });
    await expect(again).rejects.toThrow(
      `Cannot listen on 127.0.0.1:${port} (EADDRINUSE). Name another http.port`,
    );
  });
});

describe('isAllowedHost', () => {
  it.each([
    ['localhost', '127.0.0.1', true],
    ['127.8.9.1:80', '127.0.0.1', true],
    ['[::1]:80', '127.0.0.1', true],
    ['metrics.internal:9464', 'metrics.internal', true],
    ['10.1.2.3:9464', '0.0.0.0', true],
    ['10.1.2.3:9464', '127.0.0.1', false],
    ['rebound.example', '0.0.0.0', false],
    ['user@127.0.0.1', '127.0.0.1', false],
    ['', '127.0.0.1', false],
    [undefined, '127.0.0.1', false],
  ])('%s at a server on %s: %s', (header, host, allowed) => {
    expect(isAllowedHost(header, { host })).toBe(allowed);
  });
});
