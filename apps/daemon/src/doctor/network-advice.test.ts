import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../../test/support/find-free-port.ts';
import { adviseOnNetwork } from './network-advice.ts';
import { en } from './texts.en.ts';
import { ja } from './texts.ja.ts';

type Variables = Readonly<Record<string, string>>;

const advise = (error: unknown, url = 'https://api.acme.example/v1', environment: Variables = {}) =>
  adviseOnNetwork(
    { error, url, key: 'llm.base_url' },
    { texts: en, environment, processEnvironment: environment },
  );

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Requests an address as the checks do, and returns the advice on how that failed. */
async function adviseOnRequest(url: string, environment: Variables = {}): Promise<string> {
  const error: unknown = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(300) }).then(
    () => null,
    (failure: unknown) => failure,
  );
  expect(error).not.toBeNull();
  return advise(error, url, environment);
}

describe('the advice on a request without an answer', () => {
  it('is to start the server if nothing listens there', async () => {
    const port = await findFreePort();
    expect(await adviseOnRequest(`http://127.0.0.1:${port}/v1`)).toBe(
      `Start the server at 127.0.0.1:${port}, or set llm.base_url to the address where it runs. In a container, localhost is the container itself.`,
    );
  });

  it('is to check the host name if it has no address', async () => {
    expect(await adviseOnRequest('http://no-such-host.invalid/v1')).toBe(
      'Check the host name in llm.base_url and the DNS of this machine.',
    );
  });

  it('is to use http:// if the server does not use TLS', async () => {
    const port = await listen(createHttpServer((_, answer) => void answer.end()));
    expect(await adviseOnRequest(`https://127.0.0.1:${port}/v1`)).toContain(
      'Write http:// instead of https:// in llm.base_url',
    );
  });

  it('is to check firewalls if no answer comes in time', async () => {
    const port = await listen(createServer(() => {}));
    expect(await adviseOnRequest(`http://127.0.0.1:${port}/v1`)).toContain('firewalls');
  });

  it('is to check the port and https:// if the connection is closed without an answer', async () => {
    const port = await listen(createServer((socket) => socket.end()));
    expect(await adviseOnRequest(`http://127.0.0.1:${port}/v1`)).toContain('expects https:// there');
  });

  it('is to check the port if the answer is not HTTP', async () => {
    const port = await listen(createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')));
    expect(await adviseOnRequest(`http://127.0.0.1:${port}/v1`)).toContain('Check the port in llm.base_url');
  });

  it('is to name the right address if the server redirects', async () => {
    const port = await listen(
      createHttpServer((_, answer) => void answer.writeHead(302, { location: '/login' }).end()),
    );
    expect(await adviseOnRequest(`http://127.0.0.1:${port}/v1`)).toContain('to which the server redirects');
  });

  it('is to name another port if fetch never connects to this one', async () => {
    expect(await adviseOnRequest('http://127.0.0.1:9/v1')).toContain('the port of the server');
  });

  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'NODE_EXTRA_CA_CERTS'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'NODE_EXTRA_CA_CERTS'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS'],
    ['CERT_HAS_EXPIRED', 'Renew the certificate of api.acme.example'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'host name that is in the certificate'],
    ['EAI_AGAIN', 'DNS'],
    ['ENETUNREACH', 'no route to api.acme.example'],
    ['EACCES', 'a firewall or a sandbox forbids it'],
    ['ETIMEDOUT', 'firewalls'],
    ['UND_ERR_HEADERS_TIMEOUT', 'firewalls'],
    ['ERR_SOMETHING_NEW', 'Check llm.base_url and the network'],
  ])('fits the code %s', (code, words) => {
    const cause = Object.assign(new Error('…'), { code });
    expect(advise(new TypeError('fetch failed', { cause }))).toContain(words);
  });

  const refused = new TypeError('fetch failed', {
    cause: Object.assign(new Error('…'), { code: 'ECONNREFUSED' }),
  });

  it('says that Node ignores the proxy of the environment, unless it was told to use it', () => {
    const HTTPS_PROXY = 'http://proxy.acme.example:3128';
    const ignored = advise(refused, undefined, { HTTPS_PROXY });
    expect(ignored).toContain('HTTPS_PROXY is set, but Node.js uses it only if it and NODE_USE_ENV_PROXY=1');
    const used = advise(refused, undefined, { HTTPS_PROXY, NODE_USE_ENV_PROXY: '1' });
    expect(used).toBe(
      'The request goes through the proxy in HTTPS_PROXY. Check that the proxy is up and lets api.acme.example through, or add the host to NO_PROXY.',
    );
  });

  it('does not count a proxy that only .env names as used', () => {
    const environment = { https_proxy: 'http://proxy:3128', NODE_USE_ENV_PROXY: '1' };
    const late = adviseOnNetwork(
      { error: refused, url: 'https://api.acme.example', key: 'llm.base_url' },
      { texts: en, environment, processEnvironment: {} },
    );
    expect(late).toContain('https_proxy is set, but Node.js uses it only if');
  });

  it.each(['api.acme.example', '.acme.example', 'acme.example:443', '*', 'localhost, acme.example'])(
    'leaves the proxy out for hosts that NO_PROXY excludes: %s',
    (NO_PROXY) => {
      const environment = { HTTPS_PROXY: 'http://proxy:3128', NODE_USE_ENV_PROXY: '1', NO_PROXY };
      expect(advise(refused, undefined, environment)).toContain('Start the server at api.acme.example');
    },
  );

  it('exists in Japanese for each cause', () => {
    const place = { key: 'llm.base_url', host: 'api.acme.example', isLocal: false };
    for (const cause of Object.keys(en.network) as (keyof typeof en.network)[])
      expect(ja.network[cause](place)).toMatch(/[ぁ-ん]/);
  });
});
