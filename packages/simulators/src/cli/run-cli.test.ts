import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Octokit } from '@octokit/rest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listen } from '../shared/listen.ts';
import { runCli } from './run-cli.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const closing: (() => unknown)[] = [];
let scratch = '';

beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'simulators-cli-'));
  closing.push(() => rm(scratch, { recursive: true }));
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Addresses = Readonly<Record<string, string>>;

/** Starts it in this process, until `end`. */
async function play(...args: string[]) {
  const ending = Promise.withResolvers<void>();
  const printed = Promise.withResolvers<string>();
  const ended = runCli({ args, print: printed.resolve, complain: printed.resolve, ended: ending.promise });
  const end = async () => {
    ending.resolve();
    return await ended;
  };
  closing.push(end);
  return { said: await printed.promise, end };
}

async function open(...args: string[]): Promise<Addresses> {
  return JSON.parse((await play(...args)).said) as Addresses;
}

function octokitOf({ github = '' }: Addresses): Octokit {
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  return new Octokit({ baseUrl: github, auth: 'example-token', log: silent });
}

const issue = { owner: 'alice', repo: 'shop', issue_number: 1 };

describe('agent-simulators', () => {
  it('plays an example in a process of its own, for real clients, and ends by a signal without a trace [NX-391]', async () => {
    const child = spawn(process.execPath, ['--conditions=@agent/source', main, 'all'], {
      env: { ...process.env, TMPDIR: scratch },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    closing.push(() => child.kill('SIGKILL'));
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const addresses = JSON.parse(line) as Addresses;
    expect(Object.keys(addresses)).toEqual(['github', 'gitlab', 'discord', 'model', 'admin']);
    for (const url of Object.values(addresses)) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+/);
    expect((await octokitOf(addresses).rest.issues.get(issue)).data.title).toBe('The sum is wrong');
    const clone = join(scratch, 'clone');
    const remote = `${addresses.github}/alice/shop.git`.replace('//', '//alice:example-token@');
    await promisify(execFile)('git', ['clone', '--quiet', remote, clone]);
    expect(await readFile(join(clone, 'README.md'), 'utf8')).toBe('# shop\n');
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    const left = (await readdir(scratch)).filter((name) => name !== 'node-compile-cache');
    expect(left).toEqual(['clone']);
  });

  it('ends without a trace when nobody reads what it prints [NX-391]', async () => {
    const child = spawn(process.execPath, ['--conditions=@agent/source', main, 'github'], {
      env: { ...process.env, TMPDIR: scratch },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    closing.push(() => child.kill('SIGKILL'));
    child.stdout.destroy();
    let said = '';
    child.stderr.on('data', (text: Buffer) => {
      said += text.toString();
    });
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(said).toBe('');
    expect((await readdir(scratch)).filter((name) => name !== 'node-compile-cache')).toEqual([]);
  });

  it('plays the section of a seed that is wanted, at the port that is wanted [NX-391, NX-393]', async () => {
    const probe = createServer();
    const { port } = new URL(await listen(probe));
    await new Promise((resolve) => probe.close(resolve));
    const seed = join(scratch, 'world.yaml');
    await writeFile(seed, 'model: { replies: [{ text: Hi. }] }\ngithub: { users: [bob] }\n');
    const addresses = await open('github', '--seed', seed, '--port', port);
    expect(Object.keys(addresses)).toEqual(['github', 'admin']);
    expect(addresses.github).toBe(`http://127.0.0.1:${port}`);
    expect((await fetch(`${addresses.github}/users/bob`)).status).toBe(200);
    const { said, end } = await play('github', '--port', port);
    expect(said).toContain('EADDRINUSE');
    expect(await end()).toBe(2);
  });

  it('makes requests fail, shows what was asked, and begins anew, by its command line and its endpoint [NX-394]', async () => {
    const addresses = await open(
      'all',
      '--fault',
      'github={ kind: refused, status: 451 }',
      '--fault',
      'gitlab=malformed-json',
    );
    const { admin } = addresses;
    const octokit = octokitOf(addresses);
    await expect(octokit.rest.issues.get(issue)).rejects.toMatchObject({ status: 451 });
    const half = await fetch(`${addresses.gitlab}/api/v4/version`);
    await expect(half.json()).rejects.toThrow();
    const fault = (body: string, name = 'github') =>
      fetch(`${admin}/faults/${name}`, { method: 'POST', body });
    expect((await fault('{ "kind": "secondary-limit", "retryAfterSeconds": 7 }')).status).toBe(204);
    await expect(octokit.rest.issues.get(issue)).rejects.toMatchObject({
      status: 403,
      response: { headers: { 'retry-after': '7' } },
    });
    expect((await fault('reset-connection')).status).toBe(204);
    await expect(fetch(`${addresses.github}/`)).rejects.toThrow('fetch failed');
    const wrong = await fault('{ kind: slow, delay: 3 }');
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toEqual({ error: 'fault of github\n✖ Unrecognized key: "delay"' });
    expect((await fault('*slow')).status).toBe(400);
    expect((await fault('hang', 'mastodon')).status).toBe(404);
    expect((await fetch(`${admin}//`)).status).toBe(200);
    const asked = (await (await fetch(`${admin}/requests/github`)).json()) as readonly object[];
    expect(asked.map((request) => (request as { status: number }).status)).toEqual([451, 403, 0]);

    const again = await fetch(`${admin}/reset`, { method: 'POST' });
    expect(await again.json()).toEqual(await (await fetch(`${admin}/`)).json());
    expect((await octokit.rest.issues.get(issue)).status).toBe(200);
    expect(await (await fetch(`${admin}/requests/gitlab`)).json()).toEqual([]);
  });

  it('listens where it is told, with an endpoint that stays on loopback and takes no page of a browser [NX-396]', async () => {
    const { model = '', admin = '' } = await open('model', '--host', 'localhost');
    expect(model).toMatch(/^http:\/\/localhost:/);
    expect((await fetch(`${model}/models`)).status).toBe(200);
    expect(admin).toMatch(/^http:\/\/127\.0\.0\.1:/);
    const statusOf = async (headers: Record<string, string>) => {
      const sent = request(`${admin}/reset`, { method: 'POST', headers }).end();
      const [answer] = (await once(sent, 'response')) as [{ statusCode: number; resume: () => void }];
      answer.resume();
      return answer.statusCode;
    };
    expect(await statusOf({ origin: 'https://example.com' })).toBe(403);
    expect(await statusOf({ host: 'rebound.example.com' })).toBe(403);
    expect(await statusOf({})).toBe(200);
  });

  it.each([
    [[], /^Missing simulator name\.\n\nUsage/],
    [['mastodon'], /^There is no simulator "mastodon"\. Use github, gitlab, discord, model, or all\./],
    [['github', 'gitlab'], /^Unexpected argument: gitlab\. Start one simulator, or all\./],
    [['all', '--port', '80'], /^--port needs a single simulator/],
    [['github', '--port', 'x'], /^--port must be a number from 0 to 65535, not "x"\./],
    [['github', '--port', '1e3'], /^--port must be a number from 0 to 65535, not "1e3"\./],
    [['github', '--host', ''], /^--host is empty/],
    [['github', '--sed', 'x'], /^Unknown option '--sed'/],
    [['all', '--fault', 'slow'], /^--fault slow: name the simulator, such as --fault github=slow/],
    [['github', '--fault', 'model=hang'], /^--fault model=hang: the simulator model is not started\./],
    [['github', '--fault', 'slo'], /^fault of github\n✖ Invalid option.*"slow"/s],
    [['github', '--fault', '{'], /^--fault is not valid YAML/],
    [['github', '--fault', '*slow'], /^--fault is not valid YAML/],
    [['github', '--seed', '/no/such/file'], /^ENOENT.*\/no\/such\/file/],
  ])('says what is wrong with %j [NX-391]', async (args, message) => {
    const { said, end } = await play(...args);
    expect(said).toMatch(message);
    expect(await end()).toBe(2);
  });

  it('explains itself [NX-391]', async () => {
    const { said, end } = await play('--help');
    expect(said).toMatch(/^Usage: agent-simulators <github\|gitlab\|discord\|model\|all>/);
    expect(await end()).toBe(0);
  });
});
