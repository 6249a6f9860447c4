import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { examine, runDoctor, startHealthyWorld } from '../../../test/support/examination.ts';
import { gitLabToken } from '../../../test/support/gitlab-forge.ts';
import { repository, type World, type WorldOptions } from '../../../test/support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/** Starts a world in which everything is well, but for what the options change. */
async function start(options: Partial<WorldOptions> = {}): Promise<World> {
  world = await startHealthyWorld(options);
  return world;
}

describe('doctor', () => {
  it.each(['responses', 'chat'] as const)(
    'finds nothing to fix where all is well, behind /%s',
    async (api) => {
      const at = await start({ api });
      const { code, output } = await runDoctor(at);
      expect(output).not.toContain('✗');
      expect(code).toBe(0);
      expect(output).toContain('as robot');
      expect(output).toContain(
        `✓ github: ${repository}: can read, push, comment, set labels, and open drafts`,
      );
      expect(output).toContain(
        'the daemon creates these labels when it needs them: coding agent processing, ',
      );
      expect(output).toContain('✓ model: scripted-model responds and calls tools');
      expect(output).toContain('✓ git: version');
    },
  );

  it.each(['github', 'gitlab'] as const)(
    'checks of %s what the trigger needs, and labels for labels only [NX-74]',
    { tags: ['full'] },
    async (name) => {
      for (const [trigger, told] of [
        ['label', `the label coding agent does not exist`],
        ['assignment', `assign robot to start a task`],
        ['mention', `mention @robot to start a task`],
      ] as const) {
        const at = await start({ forges: [name], section: { trigger } });
        const { findings } = await examine(at, { GITLAB_TOKEN: gitLabToken });
        const texts = findings.map(({ text }) => text).join('\n');
        expect(texts).toContain(told);
        expect(/label/.test(texts.replace('set labels', ''))).toBe(trigger === 'label');
        await at.close();
      }
    },
  );

  it('says where an account cannot be assigned [NX-74]', async () => {
    const at = await start({ section: { trigger: 'assignment' } });
    const visiting = 'ghp_ThisIsTheTokenOfSomebodyElse000000001';
    at.gitHub.addUser({ login: 'visitor' });
    at.gitHub.addToken({ token: visiting, login: 'visitor' });
    const { failed } = await examine(at, { GITHUB_TOKEN: visiting });
    expect(failed.map(({ text }) => text)).toContain(`${repository}: visitor cannot be assigned there`);
  });

  it('changes nothing while it looks', async () => {
    const at = await start();
    await runDoctor(at);
    expect(at.gitHub.threads(repository)).toEqual([]);
    // Git asks for branches by POST, and GraphQL for anything.
    const written = at.gitHub.requests.filter(
      ({ method, path }) => method !== 'GET' && !/\/(?:git-upload-pack|graphql)$/.test(path),
    );
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
      expect.stringMatching(new RegExp(`^${repository}: the token lacks ${right} \\(HTTP 40[34]\\)$`)),
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
    const tools = { run_command: { sandbox: 'off', allow_root: true } };
    await writeFile(at.configFile, stringify({ platforms, llm, tools }));
    const { failed } = await examine(at);
    expect(failed).toMatchObject([
      {
        text: 'acme/ship does not exist, or the token has no access to it (HTTP 404: Not Found)',
        area: 'github',
      },
    ]);
  });

  it('says that the address is no GitHub, and goes on with the rest', async () => {
    const at = await start();
    const platforms = { github: { base_url: at.model.baseUrl, repositories: [repository] } };
    const llm = { base_url: at.model.baseUrl, model: 'scripted-model' };
    const tools = { run_command: { sandbox: 'off', allow_root: true } };
    await writeFile(at.configFile, stringify({ platforms, llm, tools }));
    const { failed, findings } = await examine(at);
    expect(failed).toMatchObject([{ area: 'github', fix: expect.stringContaining('base_url') }]);
    expect(findings.map(({ area }) => area)).toContain('model');
  });

  it('reports a directory that is a file, a missing sandbox that is required, an MCP server that fails', async () => {
    const at = await start({
      config: {
        tools: { run_command: { sandbox: 'required', allow_root: true } },
        mcp_servers: { broken: { command: 'no-such-program-anywhere' } },
        workspaces: { base_dir: 'occupied' },
      },
    });
    await writeFile(join(at.directory, 'occupied'), '');
    const { failed } = await examine(at, { PATH: '/nonexistent' });
    expect(failed.map(({ area }) => area)).toEqual(['github', 'git', 'sandbox', 'directories', 'mcp']);
  });

  it('names MCP tools that wait to be accepted, and pins none itself', async () => {
    const server = fileURLToPath(
      new URL('../../../../../packages/simulators/src/mcp/changing-stdio-server.ts', import.meta.url),
    );
    const box = { command: process.execPath, args: [server, 'description'] };
    const at = await start({ config: { mcp_servers: { box } } });
    await writeFile(join(at.directory, 'description'), 'Shows a name.');
    const note = join(at.directory, 'contexts', 'mcp-tools.json');
    const examineTools = async () => (await examine(at)).findings.filter(({ area }) => area === 'mcp');
    expect(await examineTools()).toMatchObject([{ status: 'ok' }]);
    await expect(readFile(note)).rejects.toThrow('ENOENT');
    await mkdir(join(at.directory, 'contexts'), { recursive: true });
    await writeFile(note, JSON.stringify({ 'mcp:box/show': { accepted: 'a', refused: null } }));
    const findings = (await examineTools()).filter(({ status }) => status === 'warning');
    expect(findings).toMatchObject(
      ['show', 'reload', 'crash'].map((tool) => ({
        text: expect.stringContaining(`mcp:box/${tool}`),
        fix: expect.stringContaining(`agent-daemon accept mcp:box/${tool}`),
      })),
    );
    expect(await readFile(note, 'utf8')).toContain('"refused":null');
  });

  it('warns of commands without a sandbox, and believes that a container is one [NX-31]', async () => {
    const areas = async (sandbox: 'off' | 'external') => {
      const at = await start({ config: { tools: { run_command: { sandbox, allow_root: true } } } });
      const { code, findings } = await examine(at);
      expect(code).toBe(0);
      return findings.filter(({ area }) => area === 'sandbox');
    };
    expect(await areas('off')).toMatchObject([
      {
        status: 'warning',
        text: expect.stringContaining('disables the sandbox'),
        fix: expect.stringContaining('bubblewrap'),
      },
    ]);
    expect(await areas('external')).toMatchObject([{ status: 'ok' }]);
  });

  it('asks by git as a run does, and says when the API answers and git does not [NX-63]', async () => {
    const at = await start();
    const { code, failed } = await examine(at, {
      HTTP_PROXY: 'http://127.0.0.1:9',
      http_proxy: 'http://127.0.0.1:9',
    });
    expect(code).toBe(1);
    expect(failed).toMatchObject([
      {
        area: 'github',
        text: expect.stringContaining(`${repository}: the API works, but git does not`),
        fix: expect.stringContaining('GIT_SSL_CAINFO'),
      },
    ]);
  });

  it('says that the port is taken, and which label people have to make [NX-63]', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    try {
      const { port } = taken.address() as AddressInfo;
      const at = await start({ config: { http: { port } } });
      const { failed, findings } = await examine(at);
      expect(failed).toMatchObject([{ area: 'http', text: expect.stringContaining('EADDRINUSE') }]);
      expect(findings).toContainEqual(
        expect.objectContaining({
          status: 'warning',
          text: `${repository}: the label coding agent does not exist`,
        }),
      );
    } finally {
      taken.close();
    }
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
    const { output } = await runDoctor(await start(), { LANG: 'ja_JP.UTF-8' });
    expect(output).toContain('として接続しました');
    expect(output).toMatch(/エラー 0 件|問題は見つかりませんでした/);
  });
});
