import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, toRetentionDays } from '@agent/orchestrator/config';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig, parseConfig } from './load-config.ts';

const minimal = 'platforms:\n  github:\n    repositories: [acme/shop]\n';

describe('parseConfig', () => {
  it('fills every default from the three lines that are required', () => {
    const config = parseConfig(minimal, 'agent.config.yaml');
    expect(config.platforms.github).toMatchObject({
      base_url: 'https://api.github.com',
      token_env: 'GITHUB_TOKEN',
      bot_label: 'coding agent',
      processing_label: 'coding agent processing',
    });
    expect(config).toMatchObject({ locale: 'auto', poll_interval_seconds: 60, concurrency: 2 });
    expect(config.comment_handling.max_comment_count).toBeNull();
  });

  it('names the nearest known key for a key that it does not know [X1]', () => {
    expect(() => parseConfig(`${minimal}pol_interval_seconds: 5\n`, 'a.yaml')).toThrow(
      /pol_interval_seconds is not a known key\. Did you mean poll_interval_seconds\?/,
    );
    expect(() => parseConfig(`${minimal}llm: { modell: x }\n`, 'a.yaml')).toThrow(
      /llm\.modell is not a known key\. Did you mean model\?/,
    );
  });

  it('guesses no key that is far from what was written, and finds one of which words were left out [X1]', () => {
    const parse = (text: string): unknown => parseConfig(minimal + text, 'a.yaml');
    expect(() => parse('foo: 1\n')).toThrow(/foo is not a known key\.$/);
    expect(() => parse('poll_seconds: 1\n')).toThrow(/Did you mean poll_interval_seconds\?/);
  });

  it('says of an MCP server what is wrong with it, whichever of its forms was meant [NX-61]', () => {
    const parse = (server: string): unknown =>
      parseConfig(`${minimal}mcp_servers: { box: ${server} }\n`, 'a.yaml');
    expect(() => parse('{ comand: x }')).toThrow(
      /mcp_servers\.box\.comand is not a known key\. Did you mean command\?/,
    );
    expect(() => parse('{ comand: x }')).not.toThrow(/url/);
    expect(() => parse('{ command: 5 }')).toThrow(/mcp_servers\.box\.command: must be text, not a number/);
    expect(() => parse('{ command: x, arg: [] }')).toThrow(
      /box\.arg is not a known key\. Did you mean args\?/,
    );
    expect(() => parse('{ url: http://localhost/mcp, token: abc }')).toThrow(
      /box\.token: this file is not the place for secrets.* token_env/,
    );
    expect(() => parse('{}')).toThrow(/mcp_servers\.box needs command or url\.$/);
    expect(() => parse('{ command: x, url: http://localhost/mcp }')).toThrow(
      /box: url and command cannot be used together\. Keep one of them\./,
    );
    expect(() => parse('npx box')).toThrow(/box: must be a section: each server has a name of its own/);
    expect(() => parse('{ command: x, tools: [] }')).toThrow(/box\.tools: must have at least one entry/);
    expect(() => parse('{ command: x, tools: [add] }')).not.toThrow();
  });

  it('requires a sandbox where nothing is written, and says what takes the place of auto [NX-31]', () => {
    const of = (text: string) => parseConfig(`${minimal}tools: { run_command: ${text} }\n`, 'a.yaml').tools;
    expect(of('{}').run_command).toMatchObject({ sandbox: 'required', allow_root: false, show: [] });
    expect(() => of('{ sandbox: auto }')).toThrow(
      /run_command\.sandbox: auto was removed\. Use required .*external .*off/,
    );
    expect(() => of('{ sandbox: none }')).toThrow(/sandbox: must be one of required, external, off\./);
    expect(() => of('{ show: [/] }')).toThrow(/must be absolute, and neither \//);
    expect(of('{ show: [/opt/sdk] }').run_command.show).toEqual(['/opt/sdk']);
  });

  it('says which number is out of its range, and no text', () => {
    const parse = (text: string): unknown => parseConfig(minimal + text, 'a.yaml');
    expect(() => parse('concurrency: 700\n')).toThrow(/concurrency: must be at most 100, not 700\.$/);
    const password = `llm: { model: '', base_url: 'hunter2' }\n`;
    expect(() => parse(password)).toThrow(/llm\.model/);
    expect(() => parse(password)).not.toThrow(/hunter2/);
  });

  it('accepts the camelCase of the older documents [X1] [CC-6] [A6] [A10]', () => {
    const config = parseConfig(`${minimal}commentHandling: { maxCommentCount: 3 }\n`, 'a.yaml');
    expect(config.comment_handling.max_comment_count).toBe(3);
    const section = 'commentHandling: { completionKeywords: [済み], maxContextChars: 9000 }\n';
    expect(parseConfig(`${minimal}${section}`, 'a.yaml').comment_handling).toEqual({
      max_comment_count: null,
      max_context_share: 0.15,
      completion_keywords: ['済み'],
      max_context_chars: 9_000,
    });
  });

  it('takes the section of the seed as it stands there, checks it, and has its defaults [CI-37] [CI-38] [CI-39] [CI-42]', () => {
    expect(parseConfig(minimal, 'a.yaml').context_inheritance).toMatchObject({
      enabled: true,
      max_inheritance_depth: 5,
      context_expiry_days: 90,
      max_inherited_tokens: 8_000,
      include_failed_contexts: false,
      summary_priority: 'latest',
      planning: { inherit_plans: true, max_previous_plans: 3 },
    });
    const section = 'contextInheritance: { summaryPriority: merged, planning: { maxPreviousPlans: 2 } }\n';
    expect(parseConfig(`${minimal}${section}`, 'a.yaml').context_inheritance).toMatchObject({
      summary_priority: 'merged',
      planning: { max_previous_plans: 2, inherit_reflections: true },
    });
    expect(() => parseConfig(`${minimal}context_inheritance: { max_depth: 3 }\n`, 'a.yaml')).toThrow(
      /context_inheritance\.max_depth is not a known key\. Did you mean/,
    );
  });

  it('stores data of ended runs as long as later runs may inherit from them, or longer [CI-57] [X8]', () => {
    const read = (text: string) => toRetentionDays(parseConfig(`${minimal}${text}`, 'a.yaml'));
    expect(read('')).toBe(90);
    expect(read('context_inheritance: { context_expiry_days: 30 }\n')).toBe(30);
    expect(read('context_storage: { retention_days: 365 }\n')).toBe(365);
    expect(
      read('context_storage: { retention_days: 7 }\ncontext_inheritance: { context_expiry_days: 7 }\n'),
    ).toBe(7);
  });

  it('refuses a key that is written in both spellings', () => {
    const text = `${minimal}commentHandling: {}\ncomment_handling: {}\n`;
    expect(() => parseConfig(text, 'a.yaml')).toThrow(/comment_handling is there twice/);
  });

  it('refuses an invalid value instead of falling back to a default [X1]', () => {
    expect(() => parseConfig(`${minimal}concurrency: 0\n`, 'a.yaml')).toThrow(/concurrency: /);
    expect(() => parseConfig(`${minimal}comment_handling: { max_comment_count: -1 }\n`, 'a.yaml')).toThrow(
      /max_comment_count/,
    );
  });

  it('says that a secret belongs into the environment, and does not repeat it', () => {
    const text = 'platforms:\n  github:\n    token: ghp_secretsecretsecret\n    repositories: [a/b]\n';
    const parse = (): unknown => parseConfig(text, 'a.yaml');
    expect(parse).toThrow(/platforms\.github\.token: this file is not the place for secrets/);
    expect(parse).not.toThrow(/ghp_secret/);
  });

  it('explains tabs, keys that stand twice, and files that are empty or no YAML', () => {
    expect(() => parseConfig('platforms:\n\tgithub: {}\n', 'a.yaml')).toThrow(/YAML does not allow tabs/);
    expect(() => parseConfig(`${minimal}locale: ja\nlocale: en\n`, 'a.yaml')).toThrow(
      /The same key is there twice/,
    );
    expect(() => parseConfig('', 'a.yaml')).toThrow(/platforms is missing: add it/);
    expect(() => parseConfig('just a sentence', 'a.yaml')).toThrow(ConfigError);
  });

  it('refuses two labels of one platform that are the same to it: the run would find its own result as a new task [RL-1]', () => {
    const parse = (labels: string): unknown => parseConfig(`${minimal}    ${labels}\n`, 'a.yaml');
    const message =
      /platforms\.github\.done_label: is the same label as bot_label \("coding agent"\)\. Use a different label for each state/;
    expect(() => parse('done_label: coding agent')).toThrow(message);
    expect(() => parse('done_label: Coding Agent')).toThrow(/is the same label as bot_label/);
    for (const trigger of ['assignment', 'mention'])
      expect(() => parse(`done_label: Coding Agent\n    trigger: ${trigger}`)).not.toThrow();
    expect(() => parse('bot_label: coding agent paused')).toThrow(
      /paused_label: is the same label as bot_label/,
    );
    const custom = 'platforms: { tracker: { module: ./a.mjs, failed_label: coding agent done } }';
    expect(() => parseConfig(custom, 'a.yaml')).toThrow(/tracker\.failed_label: is the same label as done_/);
    expect(() => parse('done_label: ready')).not.toThrow();
  });

  it('says of a value of the wrong type what it is, not that it is missing', () => {
    expect(() => parseConfig(`${minimal}concurrency: two\n`, 'a.yaml')).toThrow(
      /- concurrency: must be a number, not text\./,
    );
    expect(() => parseConfig(`${minimal}llm: 5\n`, 'a.yaml')).toThrow(
      /- llm: must be a section of keys \(preset, provider, base_url, api, …\), not a number\./,
    );
    expect(() => parseConfig('word', 'a.yaml')).toThrow(
      /- the file: must be a section of keys \(platforms, llm, …\), not text\./,
    );
    expect(() => parseConfig('platforms: { github: {} }', 'a.yaml')).toThrow(
      /platforms\.github\.repositories is missing: add it\./,
    );
    expect(() => parseConfig('platforms: { github: null }', 'a.yaml')).toThrow(
      /platforms\.github: .*is empty/,
    );
  });

  it('explains an alias without its anchor, and a file of several documents', () => {
    expect(() => parseConfig('platforms: *b\n', 'a.yaml')).toThrow(ConfigError);
    expect(() => parseConfig('platforms: *b\n', 'a.yaml')).toThrow(/a\.yaml is not valid YAML\. .*alias.*b/);
    expect(() => parseConfig(`${minimal}---\n${minimal}`, 'a.yaml')).toThrow(
      /^a\.yaml contains several YAML documents\. Keep one document, and remove the lines that are only ---\.$/,
    );
    expect(() => parseConfig(`---\n${minimal}`, 'a.yaml')).not.toThrow();
  });

  it('names the place of what the documents write at the top [X1]', () => {
    const parse = (text: string) => parseConfig(`${minimal}${text}`, 'a.yaml');
    const written = 'github: { username: bot }\ngitlab:\n';
    expect(() => parse(written)).toThrow(
      /github is not a known key\. Did you mean platforms\.github\.username\?/,
    );
    expect(() => parse(written)).toThrow(/gitlab is not a known key\. Did you mean platforms\.gitlab\?/);
    expect(() => parse('GitHub: { username: bot }\n')).toThrow(
      /GitHub is not a known key\. Did you mean platforms\.github\.username\?/,
    );
    expect(() => parse('time_zone: Mars/Base\n')).toThrow(/time_zone: must be the name of a time zone/);
    expect(parse('time_zone: Asia/Tokyo\n').time_zone).toBe('Asia/Tokyo');
  });

  it('names the nearest platform that it knows beside the module that another needs', () => {
    expect(() => parseConfig('platforms: { gitub: { repositories: [a/b] } }', 'a.yaml')).toThrow(
      /platforms\.gitub\.module is missing: .*Did you mean platforms\.github\?/,
    );
    expect(() => parseConfig('platforms: { gitub: { repositories: [a/b] } }', 'a.yaml')).not.toThrow(
      /Did you mean (module|base_url)/,
    );
    expect(() => parseConfig('platforms: { redmine: {} }', 'a.yaml')).toThrow(
      /platforms\.redmine\.module is missing: names the module/,
    );
    expect(() => parseConfig('platforms: { redmine: {} }', 'a.yaml')).not.toThrow(/Did you mean/);
    expect(() => parseConfig('platforms: { redmine: { module: a, modul: b } }', 'a.yaml')).toThrow(
      /redmine\.modul is not a known key\. Did you mean module\?/,
    );
  });

  it('says what a repository looks like', () => {
    expect(() =>
      parseConfig('platforms: { github: { repositories: [https://github.com/a/b] } }', 'a.yaml'),
    ).toThrow(/repositories\.0: "https:\S+" must look like owner\/repository/);
  });

  it.each([
    ['github: { repositories: [acme/shop, "*/*"] }', /github\.repositories\.1: .*write whose, as owner\/\*/],
    [
      'github: { repositories: [acme/**] }',
      /repositories\.0: .*subgroups, but there are no subgroups here: write acme\/\*/,
    ],
    ['github: { repositories: [acme/] }', /repositories\.0: "acme\/" ends with a slash/],
    ['github: { repositories: [acme/*], exclude: [acme] }', /github\.exclude\.0: "acme" must look like/],
    ['gitlab: { projects: ["**"] }', /gitlab\.projects\.0: .*write whose, as group\/\*/],
    [
      'gitlab: { projects: [acme/**, acme/web/shop], exclude: ["acme/**/sh*"] }',
      /projects: "acme\/web\/shop" is listed and also excluded by "acme\/\*\*\/sh\*"\. Remove one of them/,
    ],
    [
      'github: { app: { app_id: 7 }, repositories: [acme/*, other/*] }',
      /repositories: belong to several owners, but an App is installed for one owner/,
    ],
  ])('refuses the patterns of %s, and says which and what to write [NX-369]', (section, said) => {
    expect(() => parseConfig(`platforms: { ${section} }`, 'a.yaml')).toThrow(said);
  });

  it('takes names and patterns of repositories, with what they leave out [NX-369]', () => {
    const text =
      'platforms: { github: { repositories: [acme/*, other/tool], exclude: [acme/secret-*] }, gitlab: { projects: [group/*, group/sub/**] } }';
    const { platforms } = parseConfig(text, 'a.yaml');
    expect(platforms.github).toMatchObject({
      repositories: ['acme/*', 'other/tool'],
      exclude: ['acme/secret-*'],
      patterns: { max: 200, forks: false, refresh_seconds: 600 },
    });
    expect(platforms.gitlab?.projects).toEqual(['group/*', 'group/sub/**']);
  });
});

describe('loadConfig', () => {
  let directory = '';
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'daemon config '));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('reads the .env beside the file, under the environment of the process', async () => {
    await writeFile(join(directory, 'agent.config.yaml'), minimal);
    await writeFile(join(directory, '.env'), 'GITHUB_TOKEN=from-file\nLLM_MODEL=file-model\n');
    const loaded = await loadConfig(join(directory, 'agent.config.yaml'), { GITHUB_TOKEN: 'from-process' });
    expect(loaded.environment.GITHUB_TOKEN).toBe('from-process');
    expect(loaded.config.llm.model).toBe('file-model');
    expect(loaded.directory).toBe(directory);
  });

  it('reads a file for each secret of CREDENTIALS_DIRECTORY over the .env, and again when it has changed [NX-424]', async () => {
    const credentials = join(directory, 'credentials');
    await mkdir(credentials);
    await writeFile(join(directory, 'agent.config.yaml'), minimal);
    await writeFile(join(directory, '.env'), 'GITHUB_TOKEN=from-env\nOTHER=from-env\n');
    await writeFile(join(credentials, 'GITHUB_TOKEN'), 'from-credential\n');
    const given = { CREDENTIALS_DIRECTORY: credentials };
    const { environment, readEnvironment } = await loadConfig(join(directory, 'agent.config.yaml'), given);
    expect(environment).toMatchObject({ GITHUB_TOKEN: 'from-credential', OTHER: 'from-env' });
    await writeFile(join(credentials, 'GITHUB_TOKEN'), 'rotated\n');
    expect(await readEnvironment()).toMatchObject({ GITHUB_TOKEN: 'rotated' });
    const missing = { CREDENTIALS_DIRECTORY: join(directory, 'none') };
    await expect(loadConfig(join(directory, 'agent.config.yaml'), missing)).rejects.toThrow(
      'The files in CREDENTIALS_DIRECTORY cannot be read (ENOENT).',
    );
  });

  it('says how to create the file if there is none', async () => {
    await expect(loadConfig(join(directory, 'none.yaml'), {})).rejects.toThrow(
      /^There is no configuration at .+none\.yaml\. Create one with "agent-daemon init", or name another file with --config\.$/,
    );
  });

  const little = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
  it.each([
    ['UTF-8 with a byte-order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['UTF-16 LE, as PowerShell writes it', little],
    ['UTF-16 BE', (text: string) => little(text).swap16()],
    ['UTF-8 with CRLF', (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'))],
  ])('reads a configuration and a .env in %s', async (_, encode) => {
    await writeFile(join(directory, 'agent.config.yaml'), encode(`${minimal}locale: ja # 日本語\n`));
    await writeFile(join(directory, '.env'), encode('GITHUB_TOKEN=from-file\nLLM_MODEL=file-model\n'));
    const { config, environment } = await loadConfig(join(directory, 'agent.config.yaml'), {});
    expect(config).toMatchObject({ locale: 'ja', llm: { model: 'file-model' } });
    expect(environment.GITHUB_TOKEN).toBe('from-file');
  });

  it('names the line of a file in another encoding', async () => {
    const file = join(directory, 'agent.config.yaml');
    await writeFile(file, minimal);
    await writeFile(join(directory, '.env'), Buffer.from('A=1\n# caf\xe9\n', 'latin1'));
    await expect(loadConfig(file, {})).rejects.toThrow(
      /\.env, line 2: the text is neither UTF-8 nor UTF-16\. Save the file as UTF-8\.$/,
    );
    await writeFile(file, Buffer.from(`${minimal}# caf\xe9\n`, 'latin1'));
    await expect(loadConfig(file, {})).rejects.toThrow(/agent\.config\.yaml, line 4: the text is neither/);
  });

  it('reads what it can of a .env with mistakes, and names their lines', async () => {
    await writeFile(join(directory, 'agent.config.yaml'), minimal);
    await writeFile(join(directory, '.env'), 'GITHUB_TOKEN ghp_x\nLLM_MODEL=a#b\n');
    const { environment, envFile } = await loadConfig(join(directory, 'agent.config.yaml'), {});
    expect(environment).toEqual({ LLM_MODEL: 'a' });
    expect(envFile.problems).toEqual([
      { line: 1, kind: 'no-equals', name: null },
      { line: 2, kind: 'cut-value', name: 'LLM_MODEL' },
    ]);
  });
});
