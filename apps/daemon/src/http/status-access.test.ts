import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TaskBoard } from '@agent/orchestrator';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serviceOf } from '../../test/support/service-of.ts';
import { toProxyLogin } from './proxy-login.ts';
import { type HttpServer, startHttpServer } from './start-http-server.ts';
import { openStatusAccess, type StatusAccessOptions } from './status-access.ts';

const token = 'metrics-token-0123456789';
let directory: string;
let server: HttpServer | null = null;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'status-'));
});
afterEach(async () => {
  await server?.close();
  server = null;
  await rm(directory, { recursive: true });
});

/** A web UI that knows one session, and shows whether a request came through the socket. */
const page = async (asked: Request, env: unknown) =>
  new URL(asked.url).pathname === '/session'
    ? new Response(null, { status: asked.headers.get('cookie') === 'session=1' ? 204 : 401 })
    : new Response(String((env as { isProxySocket?: unknown }).isProxySocket));

async function start(
  options: Partial<StatusAccessOptions>,
  socket: string | null = null,
): Promise<(path: string, headers?: Readonly<Record<string, string>>) => Promise<number>> {
  const isOfStatus = async (sent: string) => sent === 'token-of-status';
  const mayRead = await openStatusAccess({ tokenFile: null, page, isOfStatus, ...options });
  const at = new TaskBoard({ now: () => 1_000 });
  const sources = {
    ...{ board: () => at.state, readService: async () => serviceOf(at), redact: (text: string) => text },
    ...{ queue: { waiting: async () => [] }, history: async () => ({ paused: [], recent: [] }) },
    ...{ startedAt: 0, now: () => 61_000, readMetrics: async () => '', onError: () => {} },
    ...{ host: '127.0.0.1', allowedHosts: [], webhooks: [] },
  };
  const started = await startHttpServer(sources, { port: 0, page, mayRead, socket });
  server = started;
  return async (path, headers = {}) => (await fetch(`${started.url}${path}`, { headers })).status;
}

async function writeToken(text: string): Promise<string> {
  await writeFile(join(directory, 'token'), text);
  return join(directory, 'token');
}

const bearer = (value: string) => ({ authorization: `Bearer ${value}` });

describe('/metrics and /tasks.json', () => {
  it.each(['/metrics', '/tasks.json'])('%s needs a login or a token if there is a web UI', async (path) => {
    const tokenFile = await writeToken(`${token}\n`);
    const status = await start({ tokenFile });
    expect([await status(path), await status(path, bearer('metrics-token-0123456780'))]).toEqual([401, 401]);
    expect(await status(path, bearer(token))).toBe(200);
    expect(await status(path, bearer('token-of-status'))).toBe(200);
    expect(await status(path, { cookie: 'session=1' })).toBe(200);
    expect([await status('/healthz'), await status('/readyz')]).not.toContain(401);
    await writeToken('another-token-0123456789');
    expect(await status(path, bearer(token))).toBe(401);
    expect(await status(path, bearer('another-token-0123456789'))).toBe(200);
  });

  it('need the token without a web UI if there is one, and nothing if there is neither', async () => {
    const closed = await start({ page: null, tokenFile: await writeToken(token) });
    expect([await closed('/tasks.json'), await closed('/tasks.json', bearer(token))]).toEqual([401, 200]);
    await server?.close();
    const open = await start({ page: null });
    expect(await open('/tasks.json')).toBe(200);
  });

  it('do not open with a token that is missing or can be guessed', async () => {
    await expect(start({ tokenFile: join(directory, 'missing') })).rejects.toThrow('cannot be read (ENOENT)');
    for (const text of ['', 'short', 'two words of a long sentence'])
      await expect(start({ tokenFile: await writeToken(text) })).rejects.toThrow(
        'must hold one token of at least 20 characters',
      );
  });
});

describe('the proxy of the web UI', () => {
  const askSocket = (path: string) =>
    new Promise<string>((resolve, reject) => {
      const sent = request({ socketPath: path, path: '/', headers: { host: 'localhost' } }, async (answer) =>
        resolve((await answer.setEncoding('utf8').toArray()).join('')),
      );
      sent.once('error', reject).end();
    });

  it('is known by its socket, which only its group can reach, and which a crashed process may have left', async () => {
    const socket = join(directory, 'page.sock');
    const crashed = createServer();
    await new Promise<void>((resolve) => crashed.listen(socket, resolve));
    await start({}, socket);
    expect(await askSocket(socket)).toBe('true');
    expect((await stat(socket)).mode & 0o777).toBe(0o660);
    expect(await (await fetch(`${server?.url}/`)).text()).toBe('false');
    crashed.close();
  });

  it('needs a directory for its socket', async () => {
    await expect(start({}, join(directory, 'missing/page.sock'))).rejects.toThrow(
      /Cannot listen on .* Set another http.page.proxy.socket/,
    );
  });

  it('needs a secret that cannot be guessed', () => {
    const proxy = {
      ...{ header: 'X-User', secret_env: 'SECRET', secret_header: 'X-Secret', socket: null },
      trusted_addresses: ['10.0.0.0/8'],
    };
    const secret = 'secret-of-the-proxy-0001';
    expect(() => toProxyLogin(proxy, {})).toThrow('SECRET must be set to a secret of at least 20 characters');
    expect(() => toProxyLogin(proxy, { SECRET: 'short' })).toThrow('SECRET must be set');
    expect(toProxyLogin(proxy, { SECRET: secret })).toEqual({
      ...{ header: 'X-User', secret: { header: 'X-Secret', value: secret } },
      trustedAddresses: ['10.0.0.0/8'],
    });
  });
});
