import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { followSteps } from 'example-scripted-model';
import { afterEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { runCommand } from '../../test/support/command.ts';
import type { GitLabForge } from '../../test/support/gitlab-forge.ts';
import { repository, startWorld, token, type World, type WorldOptions } from '../../test/support/world.ts';
import type { Finding } from '../doctor/finding.ts';
import { doctorCommand } from './doctor-command.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const readyScript = followSteps([{ toolCalls: [{ name: 'report_ready', input: {} }] }]);

/** Starts a world in which everything is well, but for what the options change. */
async function start(options: Partial<WorldOptions> = {}): Promise<World> {
  world = await startWorld({ script: readyScript, ...options });
  return world;
}

/** A port that nobody listens on any more. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

const command = (at: World, environment: Record<string, string> = {}, { json = false, model = true } = {}) =>
  runCommand((io) => doctorCommand({ config: at.configFile, json, model }, io), {
    environment: { GITHUB_TOKEN: token, ...environment },
  });

async function examine(at: World, environment: Record<string, string> = {}) {
  const { code, output } = await command(at, environment, { json: true });
  const { findings } = JSON.parse(output) as { findings: readonly Finding[] };
  const failed = findings.filter(({ status }) => status === 'failed');
  return { code, output, findings, failed };
}

describe('doctor', () => {
  it.each(['responses', 'chat'] as const)(
    'finds nothing to mend where all is well, behind /%s',
    async (api) => {
      const at = await start({ api });
      const { code, output } = await command(at);
      expect(output).not.toContain('✗');
      expect(code).toBe(0);
      expect(output).toContain('as robot');
      expect(output).toContain(`✓ github: ${repository}: reads, pushes, labels, comments, opens drafts`);
      expect(output).toContain('labels that will be made when needed: coding agent, ');
      expect(output).toContain('✓ model: scripted-model answers and calls tools');
      expect(output).toContain('✓ git: version');
    },
  );

  it('changes nothing while it looks', async () => {
    const at = await start();
    await command(at);
    expect(at.gitHub.threads(repository)).toEqual([]);
    const written = at.gitHub.requests.filter(({ method }) => method !== 'GET');
    expect(written.map(({ status }) => status)).toEqual([422, 422]);
    expect(at.model.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('says where to make a token when it is refused, and prints none', async () => {
    const wrong = 'ghp_ThisIsSomeOtherTokenThatIsWrong00001';
    const at = await start();
    const { code, failed, output } = await examine(at, { GITHUB_TOKEN: wrong });
    expect(code).toBe(1);
    expect(failed).toMatchObject([
      { area: 'github', url: `${at.gitHub.url}/settings/personal-access-tokens` },
    ]);
    expect(failed[0]?.text).toContain('refused the token');
    expect(output).not.toContain(wrong);
  });

  it('says that the variable of the token is not set', async () => {
    const { failed } = await examine(await start(), { GITHUB_TOKEN: '' });
    expect(failed[0]?.text).toContain('GITHUB_TOKEN is not set');
  });

  it.each([
    ['contents', 'contents: write'],
    ['issues', 'issues: write'],
    ['pull_requests', 'pull requests: write'],
  ] as const)('says when the token may only read %s', async (scope, right) => {
    const at = await start();
    const narrow = 'github_pat_narrow0000000000000000000000001';
    at.gitHub.addToken({ token: narrow, login: 'robot', permissions: { [scope]: 'read' } });
    const { code, failed } = await examine(at, { GITHUB_TOKEN: narrow });
    expect(code).toBe(1);
    expect(failed.map(({ text }) => text)).toEqual([
      expect.stringMatching(new RegExp(`^${repository}: the token lacks ${right} \\(answer 40[34]\\)$`)),
    ]);
  });

  it('says when the account may not write to the repository', async () => {
    const at = await start();
    at.gitHub.addUser({ login: 'guest' });
    at.gitHub.addToken({ token: 'ghp_guest000000000000000000000000000001', login: 'guest' });
    const { failed } = await examine(at, { GITHUB_TOKEN: 'ghp_guest000000000000000000000000000001' });
    expect(failed.map(({ text }) => text)).toContainEqual(expect.stringContaining('lacks contents: write'));
  });

  it('says which repository is not there', async () => {
    const at = await start();
    const platforms = { github: { base_url: at.gitHub.url, repositories: ['acme/shop', 'acme/ship'] } };
    const llm = { base_url: at.model.baseUrl, model: 'scripted-model' };
    await writeFile(at.configFile, stringify({ platforms, llm }));
    const { failed } = await examine(at);
    expect(failed).toMatchObject([
      { text: 'acme/ship is not there, or the token may not see it (answer 404)', area: 'github' },
    ]);
  });

  it('says that the address is no GitHub, and goes on with the rest', async () => {
    const at = await start();
    const platforms = { github: { base_url: at.model.baseUrl, repositories: [repository] } };
    const llm = { base_url: at.model.baseUrl, model: 'scripted-model' };
    await writeFile(at.configFile, stringify({ platforms, llm }));
    const { failed, findings } = await examine(at);
    expect(failed).toMatchObject([{ area: 'github', mend: expect.stringContaining('base_url') }]);
    expect(findings.map(({ area }) => area)).toContain('model');
  });

  it('says that the model endpoint is down, and where it was looked for', async () => {
    const nowhere = `http://127.0.0.1:${await findFreePort()}/v1`;
    const { failed } = await examine(await start(), { LLM_BASE_URL: nowhere });
    expect(failed).toMatchObject([{ area: 'model', text: expect.stringContaining(nowhere) }]);
    expect(failed[0]?.text).toContain('ECONNREFUSED');
  });

  it('says which models there are when the configured one is not', async () => {
    const { failed, findings } = await examine(await start({ llm: { model: 'no-such-model' } }));
    expect(findings).toContainEqual(
      expect.objectContaining({ status: 'warning', text: expect.stringContaining('lists scripted-model') }),
    );
    expect(failed).toMatchObject([{ text: expect.stringContaining('no-such-model does not answer') }]);
  });

  it('says when a model answers without calling the tool', async () => {
    const { code, findings } = await examine(await start({ script: () => ({ text: 'I am ready.' }) }));
    expect(code).toBe(0);
    expect(findings).toContainEqual(
      expect.objectContaining({
        area: 'model',
        status: 'warning',
        text: expect.stringContaining('did not call'),
      }),
    );
  });

  it('does not call the model with --no-model', async () => {
    const at = await start();
    await command(at, {}, { model: false });
    expect(at.model.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('reports a directory that is a file, a missing sandbox that is required, an MCP server that fails', async () => {
    const at = await start({
      config: {
        tools: { run_command: { sandbox: 'required' } },
        mcp_servers: { broken: { command: 'no-such-program-anywhere' } },
        workspaces: { base_dir: 'occupied' },
      },
    });
    await writeFile(join(at.directory, 'occupied'), '');
    const { failed } = await examine(at, { PATH: '/nonexistent' });
    expect(failed.map(({ area }) => area)).toEqual(['git', 'sandbox', 'directories', 'mcp']);
  });

  it('finds nothing to mend on a GitLab where all is well', async () => {
    const at = await start({ forges: ['gitlab'] });
    const { code, output } = await command(at, at.forge.environment);
    expect(output).not.toContain('✗');
    expect(code).toBe(0);
    expect(output).toContain(`✓ gitlab: ${repository}: reads, pushes, labels`);
  });

  it('says which scope a GitLab token lacks', async () => {
    const at = await start({ forges: ['gitlab'] });
    const { code, failed } = await examine(at, at.forge.addWeakToken());
    expect(code).toBe(1);
    expect(failed.map(({ text }) => text)).toContainEqual(expect.stringContaining('the token lacks api'));
    expect(failed[0]?.url).toBe(`${at.forge.url}/-/user_settings/personal_access_tokens`);
  });

  it('says when the role in a GitLab project is too low', async () => {
    const at = await start({ forges: ['gitlab'] });
    (at.forge as GitLabForge).simulator.setAccess(repository, 'robot', 'reporter');
    const { failed } = await examine(at, at.forge.environment);
    expect(failed).toMatchObject([
      { text: expect.stringContaining('access level 20'), url: expect.stringContaining('project_members') },
    ]);
  });

  it('names the mistake of a configuration, and stops there', async () => {
    const at = await start();
    await writeFile(at.configFile, 'platform: {}\n');
    const { code, findings } = await examine(at);
    expect(code).toBe(1);
    expect(findings).toMatchObject([
      { area: 'config', text: expect.stringContaining('Did you mean platforms?') },
    ]);
  });

  it('speaks Japanese where the process does', async () => {
    const { output } = await command(await start(), { LANG: 'ja_JP.UTF-8' });
    expect(output).toContain('として接続しました');
    expect(output).toMatch(/直すもの 0 件|すべて問題ありません/);
  });
});
