import { request } from 'node:http';
import { createMemoryJournal } from '@agent/comment-detection/mailbox';
import { createThreadDesk } from '@agent/orchestrator/desk';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, it, onTestFinished } from 'vitest';
import { createMcpServer } from '../src/create-mcp-server.ts';
import { serveHttp } from '../src/serve-http.ts';
import { callOf } from './server-bed.ts';

const token = 'the-bearer-token-of-these-tests';

async function startServer() {
  const platform = createMemoryPlatform();
  const key = platform.people.openIssue({ author: 'alice', title: 'Fix the sum' });
  let clock = 0;
  const desk = createThreadDesk(platform, {
    key,
    journal: createMemoryJournal(),
    secrets: [token],
    monotonicNow: () => {
      clock += 2_000;
      return clock;
    },
  });
  const server = await serveHttp({
    port: 0,
    token,
    createServer: () => createMcpServer(desk, { forgets: true }),
  });
  onTestFinished(server.close);
  return { server, say: (body: string) => platform.people.comment(key, { author: 'alice', body }) };
}

const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

/** Asks as no `fetch` may: with any Host. */
function ask(
  url: string,
  headers: Readonly<Record<string, string>>,
  path = '/mcp',
  method = 'POST',
): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(new URL(path, url), {
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
        ...headers,
      },
    });
    call.once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.once('error', reject);
    call.end(method === 'POST' ? body : undefined);
  });
}

it('serves several clients over HTTP, and a client that connects again [NX-269]', async () => {
  const { server, say } = await startServer();
  const connect = async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const transport = new StreamableHTTPClientTransport(new URL(server.url), { requestInit });
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    onTestFinished(() => client.close());
    return { client, call: callOf(client) };
  };
  const [one, other] = [await connect(), await connect()];
  expect(one.client.getInstructions()).toContain('in memory');
  await one.call('get_new_comments');
  say('In euros!');
  const { ids } = await other.call('get_new_comments', { before_end: true });
  expect(ids).toHaveLength(1);
  await one.call('acknowledge', { ids });
  const again = await connect();
  expect((await again.call('get_new_comments', { before_end: true })).ids).toEqual([]);
});

it('answers nobody without the token, by another name, or from a page of another origin [NX-269]', async () => {
  const { server } = await startServer();
  const { host } = new URL(server.url);
  expect(await ask(server.url, {})).toBe(200);
  expect(await ask(server.url, { origin: `http://${host}` })).toBe(200);
  expect(await ask(server.url, { host: host.replace('127.0.0.1', 'localhost') })).toBe(200);
  expect(await ask(server.url, { authorization: '' })).toBe(401);
  expect(await ask(server.url, { authorization: `Bearer ${token}x` })).toBe(401);
  expect(await ask(server.url, { host: 'evil.example' })).toBe(403);
  expect(await ask(server.url, { origin: 'https://evil.example' })).toBe(403);
  expect(await ask(server.url, { origin: 'null' })).toBe(403);
  expect(await ask(server.url, {}, '/')).toBe(404);
});

it('opens no stream and ends no session that it does not have [NX-299]', async () => {
  const { server } = await startServer();
  for (const method of ['GET', 'DELETE', 'PUT'])
    expect(await ask(server.url, {}, '/mcp', method), method).toBe(405);
  expect(await ask(server.url, { authorization: '' }, '/mcp', 'GET')).toBe(401);
});
