import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from './config-error.ts';
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
    expect(config.comment_handling.max_comment_count).toBe(10);
  });

  it('names the nearest known key for a key that it does not know [X1]', () => {
    expect(() => parseConfig(`${minimal}pol_interval_seconds: 5\n`, 'a.yaml')).toThrow(
      /pol_interval_seconds is not a known key\. Did you mean poll_interval_seconds\?/,
    );
    expect(() => parseConfig(`${minimal}llm: { modell: x }\n`, 'a.yaml')).toThrow(
      /llm\.modell is not a known key\. Did you mean model\?/,
    );
  });

  it('accepts the camelCase of the older documents [X1]', () => {
    const config = parseConfig(`${minimal}commentHandling: { maxCommentCount: 3 }\n`, 'a.yaml');
    expect(config.comment_handling.max_comment_count).toBe(3);
  });

  it('refuses a key that is written in both spellings', () => {
    const text = `${minimal}commentHandling: {}\ncomment_handling: {}\n`;
    expect(() => parseConfig(text, 'a.yaml')).toThrow(/comment_handling is written twice/);
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
    expect(parse).toThrow(/platforms\.github\.token: secrets do not belong in a file/);
    expect(parse).not.toThrow(/ghp_secret/);
  });

  it('explains tabs, keys that stand twice, and files that are empty or no YAML', () => {
    expect(() => parseConfig('platforms:\n\tgithub: {}\n', 'a.yaml')).toThrow(/never with tabs/);
    expect(() => parseConfig(`${minimal}locale: ja\nlocale: en\n`, 'a.yaml')).toThrow(/stands there twice/);
    expect(() => parseConfig('', 'a.yaml')).toThrow(/platforms is missing: add it/);
    expect(() => parseConfig('just a sentence', 'a.yaml')).toThrow(ConfigError);
  });

  it('says what a repository looks like', () => {
    expect(() =>
      parseConfig('platforms: { github: { repositories: [https://github.com/a/b] } }', 'a.yaml'),
    ).toThrow(/repositories\.0: must look like owner\/repository/);
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

  it('says what to do when there is no file', async () => {
    await expect(loadConfig(join(directory, 'none.yaml'), {})).rejects.toThrow(/name another with --config/);
  });
});
