import { TaskBoard } from '@agent/orchestrator';
import { describe, expect, it } from 'vitest';
import { serviceOf } from '../../test/support/service-of.ts';
import { createApp } from './create-app.ts';

const at = new TaskBoard({ now: () => 1_000 });

const app = createApp(
  {
    board: () => at.state,
    readService: async () => serviceOf(at),
    queue: { waiting: async () => [] },
    readMetrics: async () => '',
    history: async () => ({ paused: [], recent: [] }),
    redact: (text) => text,
    startedAt: 0,
    now: () => 61_000,
    host: '127.0.0.1',
    allowedHosts: ['status.internal'],
    webhooks: [],
    onError: () => {},
  },
  { page: async () => new Response('the page') },
);

const ask = (path: string, headers: Readonly<Record<string, string>>) =>
  app.request(path, { headers: { ...headers } });

describe('the daemon behind a proxy', () => {
  it('has the page say itself under which names it is seen, and answers nothing else under them [NX-326, NX-20]', async () => {
    const seen = await ask('/runs/u1', { host: 'agents.example.org' });
    expect([seen.status, await seen.text()]).toEqual([200, 'the page']);
    for (const path of ['/healthz', '/readyz', '/metrics', '/tasks.json'])
      expect((await ask(path, { host: 'agents.example.org' })).status).toBe(421);
  });

  it.each(['Forwarded', 'Via', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP'])(
    'shows the titles of tasks to nobody whom a proxy passes on under a name of this machine, as %s tells [NX-324]',
    async (header) => {
      const statusOf = async (path: string, host: string) =>
        (await ask(path, { host, [header]: '203.0.113.7' })).status;
      expect(await statusOf('/tasks.json', '127.0.0.1:9464')).toBe(421);
      expect(await statusOf('/tasks.json', 'status.internal')).toBe(200);
      expect(await statusOf('/healthz', '127.0.0.1:9464')).toBe(200);
    },
  );
});
