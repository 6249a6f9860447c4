import { describe, expect, it } from 'vitest';
import { createClient, fieldOf } from './support/client.ts';

describe('a stranger', () => {
  it('sees states and counts on this machine, and no text, name or repository [NX-324]', async () => {
    const { text } = createClient();
    const board = await text('/');
    expect(board).toMatch(/<strong>3<\/strong>.*Running/);
    const health = await text('/health');
    expect(health).toContain('Degraded');
    for (const word of [
      'acme',
      'octo',
      '#40',
      'mona',
      'rounding',
      'github.com',
      'build-1',
      'gpt-oss',
      'run_tests',
    ])
      expect(board + health).not.toContain(word);
  });

  it.each(['/runs/00000000-0000-4000-8000-000000000000', '/threads/x', '/audit', '/runs/x/journal'])(
    'is sent to the login from %s [NX-324]',
    async (path) => {
      const response = await createClient().get(path);
      expect([response.status, response.headers.get('location')]).toEqual([303, '/login']);
    },
  );

  it.each([
    ['from another address', { address: '10.0.0.7' }],
    ['that a proxy passed on', { headers: { 'x-forwarded-for': '10.0.0.7' } }],
    ['that a proxy passed on by another name', { headers: { 'x-real-ip': '10.0.0.7' } }],
    ['that a proxy passed on without an address', { headers: { 'x-forwarded-proto': 'https' } }],
  ])('sees not even counts %s [NX-324]', async (_, request) => {
    const { get } = createClient();
    expect((await get('/', request)).status).toBe(303);
    expect((await get('/events', request)).status).toBe(401);
  });
});

describe('a login', () => {
  it('takes a token once and gives a cookie that no script and no other site can use [NX-325]', async () => {
    const client = createClient();
    const response = await client.logIn();
    expect(response.status).toBe(303);
    const cookie = response.headers.getSetCookie().find((line) => line.startsWith('agent_page='));
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Strict/);
    expect(cookie).toMatch(/Path=\//);
    expect(await client.text('/')).toContain('acme/shop#40');
    expect(JSON.stringify(client.world.entries)).not.toContain('page-token');
  });

  it('has a cookie of this host alone behind HTTPS [NX-325]', async () => {
    const origin = 'https://agents.example.com';
    const client = createClient({ publicOrigin: origin, origin });
    const response = await client.logIn();
    expect(response.headers.getSetCookie().join()).toMatch(/__Host-agent_page=[^;]+;.*Path=\/;.*Secure/);
  });

  it('is over after its hours, and when it is ended [NX-325]', async () => {
    let time = 0;
    const client = createClient({ now: () => time, sessionHours: 1 });
    await client.logIn();
    time = 3_600_001;
    expect((await client.get('/audit')).status).toBe(303);
    await client.logIn();
    const secret = client.cookies.get('agent_page') ?? '';
    const page = await client.text('/');
    expect((await client.post('/logout', { csrf: 'wrong' })).status).toBe(403);
    expect((await client.post('/logout', { csrf: fieldOf(page, 'csrf') })).status).toBe(303);
    client.cookies.set('agent_page', secret);
    expect((await client.get('/audit')).status).toBe(303);
  });

  it('refuses a wrong token, and after five of a minute says to wait; a right one is never kept out [NX-325]', async () => {
    let now = 0;
    const client = createClient({ now: () => now });
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await client.logIn('wrong')).status).toBe(401);
    expect((await client.logIn('wrong')).status).toBe(429);
    expect(client.world.entries).toHaveLength(5);
    expect((await client.logIn()).status).toBe(303);
    now = 60_000;
    client.cookies.clear();
    expect((await client.logIn('wrong')).status).toBe(401);
  });

  it('that is refused fills no log: twenty of a day stand in the one for people, all in that of the process [NX-341, NX-325]', async () => {
    let now = 0;
    const warned: string[] = [];
    const warn = (_: object, message: string) => void warned.push(message);
    const logger = { debug() {}, info() {}, error() {}, warn };
    const client = createClient({ now: () => now, logger });
    for (let minute = 0; minute < 30; minute += 1) {
      now = minute * 60_000;
      for (let attempt = 0; attempt < 5; attempt += 1) await client.logIn('wrong');
    }
    expect([client.world.entries.length, warned.length]).toEqual([20, 150]);
  });

  it('ends with its token: who lost that is a stranger at the next look, and whose token cannot be read is nobody [NX-325, NX-327]', async () => {
    let holder: (() => string | null) | null = () => 'mona';
    const findHolder = async () => {
      if (holder === null) throw new Error('secret place /var/lib');
      return holder();
    };
    const client = createClient({ logins: { findHolder } });
    await client.logIn();
    expect((await client.get('/audit')).status).toBe(200);
    holder = null;
    const unread = await client.get('/audit');
    expect(unread.status).toBe(500);
    expect(unread.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await unread.text()).toContain('<h1>');
    holder = () => null;
    expect((await client.get('/audit')).status).toBe(303);
    holder = () => 'mona';
    expect((await client.get('/audit')).status).toBe(303);
  });

  it('needs the form that this browser was given [NX-325]', async () => {
    const [one, other] = [createClient(), createClient()];
    const csrf = fieldOf(await one.text('/login'), 'csrf');
    const token = 'page-token-of-mona-000000000000';
    expect((await other.post('/login', { token, csrf })).status).toBe(403);
  });

  const proxy = {
    header: 'x-remote-user',
    secret: { header: 'x-proxy-secret', value: 'secret-of-the-proxy-0001' },
    trustedAddresses: ['10.0.0.2', '192.168.4.0/24', 'fd00:1::/32'],
  };
  const allowedHosts = ['agents.internal'];

  it.each([
    ['without its secret', {}, '10.0.0.2', 403],
    ['with another secret', { 'x-proxy-secret': 'secret-of-the-proxy-0002' }, '10.0.0.2', 403],
    ['with its secret', { 'x-proxy-secret': proxy.secret.value }, '10.0.0.2', 200],
    ['with its secret, of a range', { 'x-proxy-secret': proxy.secret.value }, '192.168.4.77', 200],
    ['with its secret, of a range of IPv6', { 'x-proxy-secret': proxy.secret.value }, 'fd00:1::7', 200],
    ['with its secret, from another address', { 'x-proxy-secret': proxy.secret.value }, '192.168.5.1', 403],
  ] as const)(
    'of a proxy is proven by its secret, not by an address: %s',
    async (_, sent, address, status) => {
      const headers = { 'x-remote-user': 'ada', host: 'agents.internal', ...sent };
      const client = createClient({ proxy, allowedHosts });
      expect((await client.get('/', { headers, address })).status).toBe(status);
      expect((await client.get('/session', { headers, address })).status).toBe(status === 200 ? 204 : 403);
    },
  );

  it('of a proxy without a secret counts only through its socket', async () => {
    const { page } = createClient({ proxy: { ...proxy, secret: null }, allowedHosts });
    const ask = (env: object) =>
      page.fetch(
        new Request('http://agents.internal/', {
          headers: { 'x-remote-user': 'ada', host: 'agents.internal' },
        }),
        env,
      );
    expect((await ask({ incoming: { socket: { remoteAddress: '10.0.0.2' } } })).status).toBe(403);
    expect((await ask({ isProxySocket: true })).status).toBe(200);
  });

  it('comes from the header of a trusted proxy, and from no other address [NX-325]', async () => {
    const client = createClient({ proxy, allowedHosts });
    const headers = { 'x-remote-user': 'ada', host: 'agents.internal', 'x-proxy-secret': proxy.secret.value };
    const seen = await client.text('/', { headers, address: '10.0.0.2' });
    expect(seen).toContain('ada');
    expect(seen).not.toContain('Log out');
    expect((await client.get('/', { headers, address: '10.0.0.3' })).status).toBe(403);
    expect(
      (await client.get('/', { headers: { host: 'agents.internal' }, address: '10.0.0.2' })).status,
    ).toBe(303);
  });
});

describe('a request', () => {
  it('under a name that is not served is refused [NX-326]', async () => {
    const { get } = createClient();
    expect((await get('/', { headers: { host: 'evil.example' } })).status).toBe(421);
    expect((await get('/', { headers: { host: 'localhost.evil.example' } })).status).toBe(421);
    expect((await get('/', { headers: { host: '127.0.0.1:8080' } })).status).toBe(200);
  });

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['no origin', { origin: 'null' }],
    ['another site by its fetch metadata', { 'sec-fetch-site': 'cross-site' }],
  ])('with a form of %s is refused [NX-326]', async (_, headers) => {
    const client = createClient();
    await client.logIn();
    const csrf = fieldOf(await client.text('/'), 'csrf');
    expect((await client.post('/logout', { csrf }, { headers })).status).toBe(403);
  });

  it('with a form of ours whose origin is hidden by the referrer policy is taken [NX-326]', async () => {
    const client = createClient();
    await client.logIn();
    const csrf = fieldOf(await client.text('/'), 'csrf');
    const headers = { origin: 'null', 'sec-fetch-site': 'same-origin' };
    expect((await client.post('/logout', { csrf }, { headers })).status).toBe(303);
  });

  it('that is too large, no form, of an unknown address or method is answered with a page [NX-327]', async () => {
    const client = createClient();
    await client.logIn();
    const large = await client.post('/logout', { csrf: 'x'.repeat(20_000) });
    const json = await client.post('/logout', {}, { headers: { 'content-type': 'application/json' } });
    const unknown = await client.get('/nowhere');
    const method = await client.get('/audit', { method: 'DELETE' });
    expect([large, json, unknown, method].map(({ status }) => status)).toEqual([413, 415, 404, 405]);
    for (const response of [large, json, unknown, method]) {
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await response.text()).toContain('<h1>');
    }
    expect(method.headers.get('allow')).toBe('GET, HEAD');
  });

  it('that fails is answered with a page that says nothing of why [NX-327]', async () => {
    const failing = {
      readBoard: () => Promise.reject(new Error('secret place /var/lib')),
      readRun: () => Promise.reject(new Error('secret')),
      readThread: () => Promise.reject(new Error('secret')),
      readLines: () => Promise.reject(new Error('secret')),
    };
    const client = createClient({ reader: failing });
    await client.logIn();
    const response = await client.get('/');
    expect(response.status).toBe(500);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).not.toContain('secret');
  });
});

describe('every answer', () => {
  it.each(['/', '/health', '/audit', '/login', '/nowhere', '/threads/github_issue:acme:shop:40'])(
    'of %s has the headers that keep it to itself [NX-327]',
    async (path) => {
      const client = createClient();
      if (path !== '/login') await client.logIn();
      const { headers } = await client.get(path);
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('cache-control')).toBe('no-store');
      const head = await client.get(path, { method: 'HEAD' });
      expect(await head.text()).toBe('');
    },
  );
});
