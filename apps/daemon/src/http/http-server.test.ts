import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { TaskBoard, type WaitingEntry } from '@agent/orchestrator';
import { afterEach, describe, expect, it } from 'vitest';
import { openMetricsOf } from '../../test/support/metrics-of.ts';
import { serviceOf } from '../../test/support/service-of.ts';
import { type HttpSources, isAllowedHost } from './create-app.ts';
import { type HttpServer, type ServerLimits, startHttpServer } from './start-http-server.ts';

let server: HttpServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

const board = () => new TaskBoard({ now: () => 1_000 });
const secret = 'ghp_0123456789abcdefghij0123456789abcdef';

const entry: WaitingEntry = {
  ...{ key: 'github.com github_issue:acme:shop:2', kind: 'new', platform: 'github.com', runId: null },
  ...{ since: 1_000, title: `t ${secret}`, url: 'http://x/2', user: 'alice' },
};

async function start(
  at: TaskBoard,
  { limits, ...sources }: Partial<HttpSources> & { readonly limits?: ServerLimits } = {},
): Promise<string> {
  const read = {
    board: () => at.state,
    readService: async () => serviceOf(at),
    queue: { waiting: async () => [entry] },
    history: async () => ({ paused: [{ uuid: 'u2' }], inReview: [{ uuid: 'u3' }], recent: [] }),
    onError: () => {},
    ...sources,
  };
  const metrics = await openMetricsOf(at, {
    ...{ readService: read.readService, onError: read.onError },
    queue: { waiting: async () => (await read.queue.waiting()).map(({ key }) => ({ key, since: 1_000 })) },
    countResting: async () => {
      const { paused, inReview = [] } = await read.history([]);
      return { paused: paused.length, inReview: inReview.length, held: 0 };
    },
  });
  server = await startHttpServer(
    {
      ...read,
      readMetrics: metrics.read,
      redact: (text) => text.replaceAll(secret, '[REDACTED]'),
      startedAt: 0,
      now: () => 61_000,
      host: '127.0.0.1',
      allowedHosts: [],
      webhooks: [],
      ...sources,
    },
    { port: 0, ...limits },
  );
  return server.url;
}

/** fetch does not let a Host header be set. */
function askWithHost(url: string, host: string): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { host }, agent: false }, async (response) => {
      const { statusCode: status = 0 } = response;
      resolve({ status, body: (await response.setEncoding('utf8').toArray()).join('') });
    });
    sent.once('error', reject).end();
  });
}

async function statusWithHost(url: string, host: string): Promise<number> {
  return (await askWithHost(url, host)).status;
}

async function bodyWithHost(url: string, host: string): Promise<string> {
  return (await askWithHost(url, host)).body;
}

describe('GET /healthz', () => {
  it('says that the process lives, whatever it can reach [NX-17]', async () => {
    const at = board();
    const url = await start(at);
    at.observe({ type: 'look', platform: 'github', error: 'down' });
    const response = await fetch(`${url}/healthz`);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok', uptime_seconds: 61 }]);
  });

  it('says that the process ends', async () => {
    const at = board();
    at.observe({ type: 'shutdown' });
    const response = await fetch(`${await start(at)}/healthz`);
    expect(await response.json()).toMatchObject({ status: 'ending' });
  });
});

describe('GET /readyz', () => {
  const conditionsAt = async (url: string) => {
    const response = await fetch(`${url}/readyz`);
    return { code: response.status, ...((await response.json()) as object) };
  };

  it('is ready while all that the work rests on is, and says what is not, since when and why [NX-17]', async () => {
    const at = board();
    const url = await start(at);
    at.observe({ type: 'look', platform: 'github', error: null });
    at.observe({ type: 'condition', part: 'model', state: 'ok', reason: null });
    const ok = { state: 'ok', since: '1970-01-01T00:00:01.000Z', reason: null };
    expect(await conditionsAt(url)).toMatchObject({
      code: 200,
      status: 'ready',
      problems: [],
      conditions: [
        { part: 'platform:github', ...ok },
        { part: 'model', ...ok },
      ],
    });
    at.observe({ type: 'look', platform: 'github', error: `refused ${secret}` });
    expect(await conditionsAt(url)).toMatchObject({
      code: 503,
      status: 'not-ready',
      problems: [
        {
          ...{ cause: 'platform_away', scope: 'github', state: 'waiting', since: ok.since },
          ...{ reason: 'refused [REDACTED]', what: 'Cannot reach github' },
          remedy: expect.stringContaining('Check its status page'),
        },
      ],
      conditions: [
        { part: 'platform:github', state: 'waiting', reason: 'refused [REDACTED]' },
        { part: 'model', state: 'ok' },
      ],
    });
  });

  it.each(['model', 'disk'] as const)(
    'is not ready when the %s fails, which the metrics count [NX-17]',
    async (part) => {
      const at = board();
      const url = await start(at);
      at.observe({ type: 'condition', part, state: 'failed', reason: 'full' });
      expect(await conditionsAt(url)).toMatchObject({ code: 503, status: 'not-ready' });
      const metrics = await (await fetch(`${url}/metrics`)).text();
      expect(metrics).toContain(`agent_daemon_condition_ok{part="${part}"} 0`);
    },
  );

  it('is not ready as soon as the daemon ends [NX-17]', async () => {
    const at = board();
    at.observe({ type: 'shutdown' });
    expect(await conditionsAt(await start(at))).toMatchObject({ code: 503, status: 'ending' });
  });

  it('is up and degraded while a run could not do all that it wanted, until that is settled [NX-94]', async () => {
    const at = board();
    const url = await start(at);
    at.observe({ type: 'look', platform: 'github', error: null });
    const seen = { type: 'outbox', uuid: 'u', name: 'acme/shop#1' } as const;
    at.observe({ ...seen, open: { kinds: ['label'], reason: 'label: 403 (rounds: 1)' } });
    expect(await conditionsAt(url)).toMatchObject({
      code: 200,
      status: 'degraded',
      problems: [{ cause: 'updates_pending', scope: 'acme/shop#1 (u)', reason: 'label: 403 (rounds: 1)' }],
    });
    at.observe({ ...seen, open: null });
    expect(await conditionsAt(url)).toMatchObject({ code: 200, status: 'ready' });
    at.observe({ ...seen, open: { kinds: ['label'], reason: 'label: 403 (rounds: 1)' } });
    at.observe({ type: 'look', platform: 'github', error: 'down' });
    expect(await conditionsAt(url)).toMatchObject({ code: 503, status: 'not-ready' });
  });
});

describe('GET /metrics', () => {
  it('answers the text format of Prometheus with its content type', async () => {
    const response = await fetch(`${await start(board())}/metrics`);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await response.text()).toContain('agent_daemon_tasks{state="queued"} 1\n');
  });

  it('names each cause that holds the queue, with its age and its expected end', async () => {
    const at = board();
    const hold = { cause: 'content_writes', scope: 'github.com', by: null, reason: null } as const;
    at.observe({ type: 'holds', holds: [{ ...hold, since: 1_000, until: 151_500 }] });
    const text = await (await fetch(`${await start(at)}/metrics`)).text();
    expect(text).toContain('agent_daemon_queue_held_back{cause="content_writes"} 1\n');
    expect(text).toContain('agent_daemon_problem_age_seconds{cause="content_writes"} 60\n');
    expect(text).toContain(
      'agent_daemon_queue_held_back_seconds{cause="content_writes",scope="github.com"} 91\n',
    );
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
      daemon: { pid: process.pid },
      service: expect.objectContaining({ status: 'ready', problems: [] }),
      running: [
        {
          uuid: 'u1',
          task: 'acme/shop#1',
          title: 't [REDACTED]',
          url: 'http://x/1',
          since: '1970-01-01T00:00:01.000Z',
          preparation: stage,
          plan: null,
          step: 0,
          ...{ asking: null, asking_since: null, attempt: 1, tool: null, tool_since: null },
          tokens: 0,
          cost_micros: 0,
        },
      ],
      queued: [
        {
          ...{ task: 'acme/shop#2', uuid: null, thread: 'github_issue:acme:shop:2', host: 'github.com' },
          ...{ kind: 'new', title: 't [REDACTED]', url: 'http://x/2', user: 'alice', state: 'queued' },
          ...{ since: '1970-01-01T00:00:01.000Z', position: 1, reason: 'Waiting for its turn' },
        },
      ],
      requests: [],
      searches: [],
      paused: [{ uuid: 'u2' }],
      in_review: [{ uuid: 'u3' }],
      recent: [],
    });
  });
});

it('a database that is away is seen by the request that asks, and no request waits for it [NX-171]', async () => {
  const at = board();
  const never = () => new Promise<never>(() => {});
  const url = await start(at, {
    readService: async () => {
      at.observe({ type: 'condition', part: 'database', state: 'waiting', reason: `ECONNREFUSED ${secret}` });
      return serviceOf(at);
    },
    history: never,
    queue: { waiting: never },
  });
  const ready = await fetch(`${url}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([
    503,
    { conditions: [{ part: 'database', reason: 'ECONNREFUSED [REDACTED]' }] },
  ]);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toContain('agent_daemon_condition_ok{part="database"} 0');
  expect(metrics.match(/^agent_daemon_tasks\{.*$/gm)).toEqual(['agent_daemon_tasks{state="running"} 0']);
  const tasks = await fetch(`${url}/tasks.json`);
  expect([tasks.status, await tasks.json()]).toEqual([503, { database: 'ECONNREFUSED [REDACTED]' }]);
});

describe('the server', () => {
  it('answers no host name but its own, so that no page on the web can read it', async () => {
    const url = await start(board());
    expect(await statusWithHost(`${url}/healthz`, 'evil.example')).toBe(421);
    expect(await statusWithHost(`${url}/healthz`, '127.0.0.1.evil.example:80')).toBe(421);
    expect(await statusWithHost(`${url}/healthz`, 'localhost:1234')).toBe(200);
  });

  it('answers the names that are configured, and says to the others what to configure [NX-20]', async () => {
    const url = await start(board(), { allowedHosts: ['Agent-Daemon'] });
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect(await statusWithHost(`${url}${path}`, 'agent-daemon:9464')).not.toBe(421);
    expect(await bodyWithHost(`${url}/healthz`, 'another:9464')).toContain('http.allowed_hosts');
  });

  const untilClosed = (url: string, sent: string) =>
    new Promise<string>((resolve) => {
      let answer = '';
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(sent));
      socket.on('data', (data) => {
        answer += data.toString();
      });
      socket.on('error', () => {});
      socket.once('close', () => resolve(answer));
    });

  it('closes connections whose headers or bodies do not come [NX-19]', async () => {
    const url = await start(board(), { limits: { headersTimeoutMs: 50, requestTimeoutMs: 50 } });
    const slow = [
      'GET /healthz HT',
      'POST /healthz HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n1',
    ];
    const answers = await Promise.all(
      slow.flatMap((sent) => Array.from({ length: 20 }, () => untilClosed(url, sent))),
    );
    expect(new Set(answers.slice(0, 20).map((one) => one.split('\r\n')[0]))).toEqual(
      new Set(['HTTP/1.1 408 Request Timeout']),
    );
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it('holds no more connections than it may [NX-19]', async () => {
    const url = await start(board(), { limits: { maxConnections: 1 } });
    const first = connect(Number(new URL(url).port), '127.0.0.1');
    await once(first, 'connect');
    expect(await untilClosed(url, 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')).toBe('');
    first.destroy();
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
      `Cannot listen on 127.0.0.1:${port} (EADDRINUSE). Set another http.port`,
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
    expect(isAllowedHost(header, { host, allowedHosts: [] })).toBe(allowed);
  });
});
