import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpProxy } from '@agent/simulators/trials';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Effect } from './fault.ts';
import { createFaultDesk, type FaultDesk } from './fault-desk.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { nameRoute } from './route.ts';

describe('a proxy that does harm', () => {
  const address = '/repos/acme/shop/issues/1/comments';
  let heard: string[];
  let server: Server;
  let desk: FaultDesk;
  let proxy: HttpProxy;

  beforeEach(async () => {
    heard = [];
    server = createServer((request, response) => {
      heard.push(`${request.method} ${request.url}`);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify([{ id: heard.length, created_at: new Date().toISOString() }]));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    desk = createFaultDesk();
    proxy = await startFaultProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { desk });
  });
  afterEach(async () => {
    await proxy.close();
    server.close();
  });

  async function ask(path = address, init: RequestInit = {}): Promise<readonly [number, string]> {
    const answer = await fetch(proxy.url + path, init).catch(() => null);
    const text = (await answer?.text().catch(() => 'cut off')) ?? '';
    return [answer?.status ?? 0, text];
  }

  const cases: readonly (readonly [string, Effect, number, number])[] = [
    ['a reset before the server acts', { kind: 'reset', side: 'before' }, 0, 0],
    ['a reset after it acted', { kind: 'reset', side: 'after' }, 0, 1],
    ['a refusal in its place', { kind: 'status', status: 403, side: 'before' }, 403, 0],
    ['a refusal after it acted', { kind: 'status', status: 502, side: 'after' }, 502, 1],
    ['a success that never was', { kind: 'swallowed', body: '[]' }, 200, 0],
    ['a delay', { kind: 'slow', ms: 1 }, 200, 1],
  ];

  it.each(cases)(
    'makes %s, once, and nothing of the next request [NX-108]',
    async (_, effect, status, acts) => {
      desk.add({ meant: { routes: ['comment-list'] }, effect, times: 1 });
      expect((await ask())[0]).toBe(status);
      expect(heard).toHaveLength(acts);
      expect((await ask())[0]).toBe(200);
      expect(desk.seen.map((request) => request.status)).toEqual([status, 200]);
    },
  );

  it('lets one request have what was planned before it came, and nothing that is planned meanwhile [NX-108]', async () => {
    const acts: string[] = [];
    const plan = (name: string): void => {
      const meant = { routes: ['comment-list'] } as const;
      desk.when({
        meant,
        act: () => {
          acts.push(name);
          if (name === 'first') plan('second');
        },
      });
    };
    plan('first');
    await ask();
    expect(acts).toEqual(['first']);
    await ask();
    expect(acts).toEqual(['first', 'second']);
  });

  it('leaves requests of other routes alone [NX-108]', async () => {
    desk.add({ meant: { routes: ['model'] }, effect: { kind: 'status', status: 500, side: 'before' } });
    expect((await ask())[0]).toBe(200);
    expect((await ask('/v1/responses', { method: 'POST', body: '{}' }))[0]).toBe(500);
  });

  it('cuts an answer off [NX-108]', async () => {
    desk.add({ meant: {}, effect: { kind: 'truncated' } });
    expect(await ask()).toEqual([200, 'cut off']);
  });

  it('repeats an earlier answer, and leaves out what is young where there was none [NX-108]', async () => {
    const [, first] = await ask();
    desk.add({ meant: {}, effect: { kind: 'stale', youngMs: 60_000 } });
    expect(await ask()).toEqual([200, first]);
    expect(await ask(`${address}?page=2`)).toEqual([200, '[]']);
  });

  it('says that nothing has changed to whoever asks for changes [NX-108]', async () => {
    desk.add({ meant: {}, effect: { kind: 'unchanged' } });
    expect((await ask())[0]).toBe(200);
    expect((await ask(address, { headers: { 'if-none-match': '"1"' } }))[0]).toBe(304);
  });

  it('stops when it is lifted [NX-108]', async () => {
    const lift = desk.add({ meant: {}, effect: { kind: 'status', status: 500, side: 'before' } });
    expect((await ask())[0]).toBe(500);
    lift();
    expect((await ask())[0]).toBe(200);
  });

  it.each([
    ['GET', '/repos/acme/shop/issues/1', '', 'thread'],
    ['GET', '/repos/acme/shop/issues/comments?sort=updated', '', 'comment-list'],
    ['POST', '/repos/acme/shop/issues/1/labels', '', 'label'],
    ['POST', '/repos/acme/shop/issues/comments/7/reactions', '', 'reaction'],
    ['GET', '/repos/acme/shop/collaborators/alice/permission', '', 'permission'],
    ['POST', '/acme/shop.git/git-receive-pack', '', 'git'],
    ['GET', '/api/v4/projects/5/merge_requests/1/notes?page=1', '', 'comment-list'],
    ['PUT', '/api/v4/projects/5/issues/1', '{"add_labels":"a"}', 'label'],
    ['PUT', '/api/v4/projects/5/merge_requests/1/notes/9', '{}', 'comment-write'],
    ['GET', '/api/v4/projects/5/members/all/3', '', 'permission'],
    ['GET', '/api/v4/projects/5/issues?labels=coding agent', '', 'task-list'],
    ['POST', '/v1/chat/completions', '{}', 'model'],
  ])('knows what %s %s is for [NX-108]', (method, path, body, route) => {
    expect(nameRoute({ method, path, body })).toBe(route);
  });
});
