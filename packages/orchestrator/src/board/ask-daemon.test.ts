import { expect, it } from 'vitest';
import { askDaemon } from './ask-daemon.ts';

const queued = {
  ...{ task: 'acme/shop#1', uuid: null, thread: 'github_issue:acme:shop:1', host: 'github.com', kind: 'new' },
  ...{ title: null, url: null, user: null, since: '2026-01-01T00:00:00.000Z' },
};
const view = { daemon: { pid: 2 }, running: [], queued: [queued], searches: [], requests: [] };
const ask = (hosts: readonly string[]) =>
  askDaemon(
    hosts.map((host, index) => ({ number: index, host, pid: index + 1, silentMs: 0 })),
    { http: { host: '0.0.0.0', port: 8080 }, hostname: 'here', fetch: async () => Response.json(view) },
  );

it('the daemon of this machine is asked, whichever of those that share a database it is', async () => {
  expect(await ask(['here', 'here', 'there'])).toEqual({ view });
  expect(await ask(['there', 'here'])).toEqual({ view });
  expect(await ask([])).toEqual({ view: null, unasked: null });
  expect(await ask(['there', 'elsewhere'])).toEqual({
    view: null,
    unasked: 'it runs on another machine (there, elsewhere)',
  });
  expect(await ask(['here', 'there'])).toMatchObject({
    view: null,
    unasked: expect.stringContaining('another daemon answers'),
  });
});

it('the daemon is asked with a token that the caller creates, and a token that cannot be created is a reason', async () => {
  const sent: (string | null)[] = [];
  const askWith = (createToken: () => Promise<string>) =>
    askDaemon([{ number: 0, host: 'here', pid: 2, silentMs: 0 }], {
      http: { host: '127.0.0.1', port: 8080 },
      hostname: 'here',
      createToken,
      fetch: async (_, init) => {
        sent.push(new Headers(init?.headers).get('authorization'));
        return Response.json(view);
      },
    });
  expect(await askWith(async () => 'token-1')).toEqual({ view });
  expect(sent).toEqual(['Bearer token-1']);
  const refuse = () => Promise.reject(Object.assign(new Error('read-only'), { code: 'EROFS' }));
  expect(await askWith(refuse)).toMatchObject({ view: null });
});
