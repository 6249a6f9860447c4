// @module-tag full
import { spawn } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gitCredentialContract } from '@agent/platforms/testing';
import { startGitHubSimulator } from '@agent/simulators/github';
import { followSteps, startScriptedModel, withFinalSummaries } from '@agent/simulators/model';
import { startTlsProxy } from '@agent/simulators/tls';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { startTracker } from './start-tracker.ts';
import createTrackerPlatform from './tracker-adapter.ts';

const adapter = fileURLToPath(new URL('tracker-adapter.ts', import.meta.url));
const daemon = fileURLToPath(new URL('../../../../apps/daemon/src/main.ts', import.meta.url));
const tokens = { tracker: 'tracker-token-8c1d2e3f', forge: 'forge-token-4a5b6c7d8e' };

let directory: string;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'private-tracker-')));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(directory, { recursive: true, force: true });
});

/** A private repository behind https, with the certificate of an authority that only this test trusts. */
async function openForge() {
  const github = await startGitHubSimulator();
  for (const login of ['acme', 'robot']) github.addUser({ login });
  github.addToken({ token: tokens.forge, login: 'robot' });
  await github.addRepository({
    ...{ owner: 'acme', name: 'shop', private: true, collaborators: { robot: 'write' } },
    files: { 'total.js': 'export const total = (a, b) => a - b;\n' },
  });
  const logins: string[] = [];
  const onRequest = ({ url = '', headers }: IncomingMessage) => {
    if (url.includes('.git/')) logins.push(headers.authorization ?? 'none');
  };
  const proxy = await startTlsProxy(github.url, { onRequest });
  const authority = join(directory, 'authority.pem');
  await writeFile(authority, proxy.certificate);
  closing.push(github.close, proxy.close);
  return { github, logins, authority, url: proxy.url };
}

/** Runs the daemon once, as its own process. */
async function runDaemon(file: string, environment: Readonly<Record<string, string>>) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(
    process.execPath,
    ['--conditions=@agent/source', daemon, 'run', '--once', '--config', file],
    { env: { PATH, NODE_COMPILE_CACHE, HOME: directory, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, output };
}

it('takes an issue of a tracker to a draft in a private repository behind https', async () => {
  const { github, logins, authority, url } = await openForge();
  const tracker = await startTracker({ token: tokens.tracker });
  closing.push(tracker.close);
  tracker.issues.push({
    ...{ key: 'SHOP-7', summary: 'The total is wrong', description: 'It subtracts.' },
    ...{ labels: ['bug', 'coding_agent'], comments: [] },
  });
  const edit = { path: 'total.js', old_text: 'a - b', new_text: 'a + b' };
  const model = await startScriptedModel({
    script: withFinalSummaries(
      followSteps([{ toolCalls: [{ name: 'edit_file', input: edit }] }, { text: 'total adds now.' }]),
    ),
  });
  closing.push(model.close);
  const options = {
    tracker: tracker.url,
    project: 'SHOP',
    forge: url,
    repository: 'acme/shop',
    code: `${url}/acme/shop.git`,
  };
  const configuration = {
    platforms: { jira: { module: adapter, options } },
    trust: ['ann'],
    llm: { base_url: model.baseUrl, model: 'scripted-model', max_retries: 0 },
    planning: { enabled: false },
    tools: { run_command: { sandbox: 'off', allow_root: true } },
  };
  const file = join(directory, 'agent.config.yaml');
  await writeFile(file, stringify(configuration));
  const { code, output } = await runDaemon(file, {
    ...{ TRACKER_TOKEN: tokens.tracker, FORGE_TOKEN: tokens.forge },
    ...{ NODE_EXTRA_CA_CERTS: authority, GIT_SSL_CAINFO: authority },
  });
  expect(output).toContain('finished task');
  expect(code).toBe(0);

  const [draft, ...others] = github.threads('acme/shop');
  expect(others).toEqual([]);
  expect(draft).toMatchObject({ state: 'open', pullRequest: { draft: true } });
  const [issue] = tracker.issues;
  expect(issue?.labels).toEqual(['bug', 'coding_agent_done']);
  expect(issue?.comments.at(-1)?.body).toContain('total adds now.');
  expect(issue?.comments.at(-1)?.body).toContain('/acme/shop/pull/1');

  const login = `Basic ${Buffer.from(`x-access-token:${tokens.forge}`).toString('base64')}`;
  expect(logins.at(-1)).toBe(login);
  expect(new Set(logins)).toEqual(new Set(['none', login]));
  const shown = [
    output,
    JSON.stringify(model.requests.map(({ body }) => body)),
    JSON.stringify(tracker.issues),
  ].join();
  for (const token of Object.values(tokens)) expect(shown).not.toContain(token);
});

gitCredentialContract({
  name: 'the tracker with a private repository',
  create: async () => {
    const { url, github } = await openForge();
    const options = {
      tracker: 'http://127.0.0.1:9',
      project: 'SHOP',
      forge: url,
      repository: 'acme/shop',
      code: `${url}/acme/shop.git`,
    };
    const environment = { FORGE_TOKEN: tokens.forge };
    const { gitCredential } = createTrackerPlatform({ name: 'jira', options, environment });
    if (gitCredential == null) throw new Error('The adapter gives git no login.');
    return {
      gitCredential,
      cloneUrl: `${url}/acme/shop.git`,
      canRead: async ({ username, password }) => {
        const login = Buffer.from(`${username}:${password}`).toString('base64');
        const asked = `${github.url}/acme/shop.git/info/refs?service=git-upload-pack`;
        return (await fetch(asked, { headers: { authorization: `Basic ${login}` } })).ok;
      },
      close: async () => {},
    };
  },
});
