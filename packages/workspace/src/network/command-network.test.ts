import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NetworkRule, RegistryEntry } from '../config/environment-schemas.ts';
import type { CommandSandbox } from '../sandbox/sandbox.ts';
import { findSandbox } from '../testing/workspace-bed.ts';
import { type CommandPlace, createCommandPlace } from '../tools/command-place.ts';
import { openCommandNetwork } from './command-network.ts';
import { isPrivateAddress } from './host-rules.ts';

const found = await findSandbox();
const sandboxes: readonly (readonly [string, CommandSandbox])[] = [
  ['without a sandbox', { kind: 'none', mode: 'off' }],
  ...(found === null ? [] : [['in bubblewrap', found] as const]),
];
const secret = 'registry-secret-0123456789';
let root: string;
let server: Server;
let asked: IncomingMessage[];
let places: CommandPlace[];

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'network-')));
  asked = [];
  places = [];
  server = createServer((request, response) => {
    asked.push(request);
    if (request.url === '/registry/moved')
      response.setHeader('location', `http://127.0.0.1:${port()}/registry/new`);
    response.setHeader('set-cookie', 'session=1');
    response.end(`answer to ${request.method} ${request.url}`);
  });
  // Every address of the loopback, so that one of them can count as public.
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
});

afterEach(async () => {
  for (const place of places) await place.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(root, { recursive: true, force: true });
});

const port = () => (server.address() as AddressInfo).port;

const registry = (change: Partial<RegistryEntry> = {}): RegistryEntry => ({
  name: 'acme',
  kind: 'npm',
  url: `http://127.0.0.1:${port()}/registry/`,
  token_env: 'ACME_TOKEN',
  username: null,
  ...change,
});

interface Way {
  readonly rule: NetworkRule;
  readonly registries?: readonly RegistryEntry[];
  readonly ports?: readonly number[];
}

/** The address of a test server that counts as public. */
const publicAddress = '127.0.0.2';

/** Runs a script of Node, which prints JSON, in a place with this way to the network. */
async function run(
  sandbox: CommandSandbox,
  { rule, registries = [], ports }: Way,
  script: string,
): Promise<unknown> {
  const network = await openCommandNetwork({
    ...{ sandbox, rule, registries, ports, directory: root },
    isPrivate: (address) => address !== publicAddress && isPrivateAddress(address),
    environment: { ACME_TOKEN: secret },
    resolve: async (host) => {
      if (host === 'missing.example') throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
      return (names[host] ?? ['93.184.216.34']).map((address) => ({ address, family: 4 }));
    },
  });
  const path = `${dirname(process.execPath)}:/usr/bin:/bin`;
  const place = createCommandPlace({ workspacePath: root, homesDirectory: root, sandbox, path, network });
  places.push(place);
  const node = (await place.findProgram('node')) ?? '';
  const result = await place.run({
    command: [
      node,
      '-e',
      `${helpers}\n(async () => console.log(JSON.stringify(await (async () => {${script}})())))()`,
    ],
    ...{ timeoutMs: 20_000, maxOutputBytes: 32_768 },
  });
  expect(result).toMatchObject({ exitCode: 0 });
  return JSON.parse(/^[[{"n].*$/m.exec(result.output)?.[0] ?? '');
}

const names: Readonly<Record<string, readonly string[]>> = {
  '0x7f000001': ['127.0.0.1'],
  'rebound.example': ['127.0.0.1'],
  'public.example': [publicAddress],
  'both.example': [publicAddress, '127.0.0.1'],
};

const helpers = `
const http = require('http'), net = require('net');
const proxy = () => new URL(process.env.HTTP_PROXY);
/** By the proxy; what it says, with its status. */
const get = (url) => new Promise((resolve) => {
  const { hostname, port } = proxy();
  http.get({ hostname, port, path: url, headers: { host: new URL(url).host } }, async (answer) => {
    let text = ''; for await (const chunk of answer) text += chunk;
    resolve([answer.statusCode, text]);
  }).on('error', (error) => resolve([0, error.code]));
});
const tunnel = (place) => new Promise((resolve) => {
  const { hostname, port } = proxy();
  http.request({ hostname, port, method: 'CONNECT', path: place })
    .on('connect', (answer, socket) => { socket.destroy(); resolve(answer.statusCode); })
    .on('error', (error) => resolve(error.code)).end();
});
const direct = (port) => new Promise((resolve) => {
  net.connect(port, '127.0.0.1', () => resolve('reached')).on('error', (error) => resolve(error.code));
});
const ask = (path, options = {}) => fetch(new URL(path, process.env.AGENT_REGISTRY_ACME), { redirect: 'manual', ...options })
  .then(async (answer) => [answer.status, await answer.text(), answer.headers.get('location'), answer.headers.get('set-cookie')]);`;

describe.each(sandboxes)('the network of commands %s', (_, sandbox) => {
  it('lets through the hosts that are allowed, by their ports, and no others [NX-213]', async () => {
    const here = `127.0.0.1:${port()}`;
    const rule = { allow: [here], private: [here] };
    const script = `return [await get('http://${here}/page'), await tunnel('${here}'), await get('http://example.com/'),
      await tunnel('example.com:443'), await get('http://127.0.0.1:1/')]`;
    expect(await run(sandbox, { rule }, script)).toEqual([
      [200, 'answer to GET /page'],
      200,
      [403, 'example.com:80 cannot be reached from here: it is not an allowed host.'],
      403,
      [403, '127.0.0.1:1 cannot be reached from here: it is not an allowed host.'],
    ]);
  });

  it('connects to no private address that is not allowed as one, whatever a name turns to [NX-213]', async () => {
    const rule = { allow: [`127.0.0.1:${port()}`, `rebound.example:${port()}`], private: [] };
    const script = `return [await get('http://127.0.0.1:${port()}/'), (await get('http://rebound.example:${port()}/'))[0] >= 400, await tunnel('rebound.example:${port()}')]`;
    const [literal, isRefused, tunnelled] = (await run(sandbox, { rule }, script)) as [
      unknown,
      boolean,
      unknown,
    ];
    expect(literal).toEqual([
      403,
      `127.0.0.1:${port()} cannot be reached from here: its address is private.`,
    ]);
    expect(isRefused).toBe(true);
    expect(tunnelled).not.toBe(200);
    expect(asked).toEqual([]);
  });

  it('adds the login of a registry on the way, which commands never see [NX-214]', async () => {
    const script = `return [await ask('package'), await ask('package', { headers: { authorization: 'Bearer of-the-command' } }), JSON.stringify(process.env)]`;
    const [first, , seen] = (await run(
      sandbox,
      { rule: 'off', registries: [registry()] },
      script,
    )) as unknown[];
    expect(first).toEqual([200, 'answer to GET /registry/package', null, null]);
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${secret}`,
      `Bearer ${secret}`,
    ]);
    expect(seen).not.toContain(secret);
    expect(JSON.parse(seen as string)).toMatchObject({
      npm_config_replace_registry_host: 'always',
      npm_config_registry: JSON.parse(seen as string).AGENT_REGISTRY_ACME,
    });
  });

  it('asks a registry for what lies below its address, reading only [NX-214]', async () => {
    const script = `return [await ask('moved'), (await ask('../other'))[0], (await ask('%2e%2e/other'))[0], (await ask('a%2f..%2f../other'))[0],
      (await ask('package', { method: 'PUT', body: '{}' }))[0], (await ask('-/npm/v1/security/advisories/bulk', { method: 'POST', body: '{}' }))[0]]`;
    const registries = [registry({ username: 'robot', kind: 'other' })];
    const [moved, ...others] = (await run(sandbox, { rule: 'off', registries }, script)) as unknown[];
    expect(moved).toEqual([200, 'answer to GET /registry/moved', '/registry/new', null]);
    expect(others).toEqual([403, 403, 403, 403, 200]);
    const login = Buffer.from(`robot:${secret}`).toString('base64');
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([`Basic ${login}`, `Basic ${login}`]);
  });

  it('lets no request leave the address of a registry by an encoding, nor pass a header that changes it [NX-214]', async () => {
    const script = `const status = async (...args) => (await ask(...args))[0];
      return [await status('..;/admin'), await status('%252e%252e/admin'), await status('a/..%252fadmin'), await status('a%5c..%5cadmin'),
        await status('%zz'), await status('-/npm/v1/security/anything', { method: 'POST', body: '{}' }), await status('@acme%2fcart'),
        await status('package', { headers: { 'x-http-method-override': 'DELETE', 'x-forwarded-host': 'evil', cookie: 'a=b', 'if-none-match': '"1"' } })]`;
    const seen = await run(sandbox, { rule: 'off', registries: [registry()] }, script);
    expect(seen).toEqual([403, 403, 403, 403, 403, 403, 200, 200]);
    expect(asked.map(({ url }) => url)).toEqual(['/registry/@acme%2fcart', '/registry/package']);
    const { 'if-none-match': tag, ...headers } = asked[1]?.headers ?? {};
    expect(tag).toBe('"1"');
    expect(Object.keys(headers).filter((name) => /^x-|cookie/.test(name))).toEqual([]);
  });

  it('needs the secret of a registry that has one [NX-214]', async () => {
    const registries = [registry({ token_env: 'NOT_SET' })];
    await expect(run(sandbox, { rule: 'off', registries }, '')).rejects.toThrow(
      'The registry acme needs a secret in NOT_SET, which is not set.',
    );
  });

  it('ends a command with the exit code that it has, and by its own signal', async () => {
    const rule = { allow: ['example.com'], private: [] };
    const network = await openCommandNetwork({
      sandbox,
      rule,
      registries: [],
      environment: {},
      directory: root,
    });
    const place = createCommandPlace({ workspacePath: root, homesDirectory: root, sandbox, network });
    places.push(place);
    const end = (script: string, timeoutMs = 20_000) =>
      place.run({ command: ['/bin/sh', '-c', script], timeoutMs, maxOutputBytes: 1_024 });
    expect(await end('echo out; echo err >&2; exit 3')).toMatchObject({ exitCode: 3, output: 'out\nerr\n' });
    expect(await end('sleep 60', 300)).toMatchObject({ timedOut: true });
  });
});

const inside = found === null ? 'NOT SHOWN HERE, bubblewrap does not work: ' : '';

it(`${inside}a command in a sandbox reaches nothing but by the proxy [NX-213]`, async () => {
  if (found === null) return expect(sandboxes).toHaveLength(1);
  const rule = { allow: ['example.com'], private: [] };
  expect(
    await run(found, { rule }, `return [await direct(${port()}), await get('http://127.0.0.1:${port()}/')]`),
  ).toEqual([
    'ECONNREFUSED',
    [403, `127.0.0.1:${port()} cannot be reached from here: it is not an allowed host.`],
  ]);
  expect(asked).toEqual([]);
});

it(`${inside}a command with the whole network reaches public hosts at the ports that are open, and nothing of this machine`, async () => {
  if (found === null) return expect(sandboxes).toHaveLength(1);
  const abstract = createSocketServer((socket) => socket.end('reached'));
  const name = `\0agent-test-${process.pid}`;
  await new Promise<void>((resolve) => abstract.listen(name, resolve));
  const here = port();
  const script = `const at = (options) => new Promise((resolve) =>
      net.connect(options, () => resolve('reached')).on('error', (error) => resolve(error.code)));
    return [await get('http://public.example:${here}/page'), await tunnel('public.example:${here}'),
      await get('http://both.example:${here}/'), await tunnel('rebound.example:${here}'), await tunnel('0x7f000001:${here}'),
      await get('http://127.0.0.1:${here}/'), await get('http://public.example:22/'), await get('http://missing.example:${here}/'),
      await direct(${here}), await at({ path: ${JSON.stringify(name)} })]`;
  const seen = await run(found, { rule: 'on', ports: [here] }, script).finally(() => abstract.close());
  const refused = (place: string, why: string) => [403, `${place} cannot be reached from here: ${why}.`];
  expect(seen).toEqual([
    [200, 'answer to GET /page'],
    200,
    refused(`both.example:${here}`, 'its address is private'),
    403,
    403,
    refused(`127.0.0.1:${here}`, 'its address is private'),
    refused('public.example:22', `only ports ${here} are allowed`),
    refused(`missing.example:${here}`, 'its name could not be resolved (ENOTFOUND)'),
    ...['ECONNREFUSED', 'ECONNREFUSED'],
  ]);
  expect(asked.map(({ url }) => url)).toEqual(['/page']);
});

it(`${inside}a command whose tunnel is refused gets the reason once on standard error`, async () => {
  if (found === null) return expect(sandboxes).toHaveLength(1);
  const network = await openCommandNetwork({
    ...{ sandbox: found, rule: 'on', registries: [], environment: {}, directory: root },
  });
  const place = createCommandPlace({ workspacePath: root, homesDirectory: root, sandbox: found, network });
  places.push(place);
  expect(place.networkNote).toBe(
    ' Public hosts can be reached through the proxy in $HTTPS_PROXY, at ports 443 and 80.',
  );
  const script = `${helpers}
(async () => { await tunnel('10.0.0.1:443'); await tunnel('10.0.0.1:443'); })()`;
  const { output } = await place.run({
    command: [process.execPath, '-e', script],
    ...{ timeoutMs: 20_000, maxOutputBytes: 1_024 },
  });
  expect(output).toBe('10.0.0.1:443 cannot be reached from here: its address is private.\n');
});
