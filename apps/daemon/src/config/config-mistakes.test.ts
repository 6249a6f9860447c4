import { describe, expect, it } from 'vitest';
import { parseConfig } from './load-config.ts';

const minimal = 'platforms:\n  github:\n    repositories: [acme/shop]\n';

/** Lines of the error for a configuration, without the first. */
function listMistakes(text: string): readonly string[] {
  try {
    parseConfig(text, 'a.yaml');
    return [];
  } catch (error) {
    const [head, ...lines] = (error as Error).message.split('\n');
    expect(head).toBe('a.yaml has mistakes:');
    return lines.map((line) => line.replace('  - ', ''));
  }
}

describe('a mistake in the configuration', () => {
  it.each([
    [
      'limits: { max_cost: 5 USD }',
      'limits.max_cost: must be a number such as 5 (llm.currency names its currency), or a section of numbers: run, thread, person, repository, day, by_command.',
    ],
    [
      'limits: { max_cost: { day: 5 USD } }',
      'limits.max_cost.day: must be a number, not text. Write the number alone, without a unit and without quotes.',
    ],
    ['limits: { max_cost: { per_run: 5 } }', 'limits.max_cost.per_run is not a known key. Did you mean run?'],
    ['limits: { max_steps: 1.5 }', 'limits.max_steps: must be a whole number.'],
    [
      'environments: { acme/shop: { setup: { commands: [npm ci] } } }',
      'environments: must be a list, and each entry of it begins with "- repositories: [owner/repo]".',
    ],
    [
      'environments: [acme/shop]',
      'environments.0: must be a section of keys (repositories, setup, variables, network, …), not text.',
    ],
    [
      'environments: [{ repositories: acme/shop }]',
      'environments.0.repositories: must be a list, not text. Write it as [value], or after "- " on a line of its own.',
    ],
    [
      'environments: [{ repositories: [acme/shop], variables: { PORT: 80 } }]',
      'environments.0.variables.PORT: must be text, not a number. Put it in quotes.',
    ],
    ['mcp_servers: { box: { cmd: npx } }', 'mcp_servers.box.cmd is not a known key. Did you mean command?'],
    [
      'mcp_servers: { box: { comand: npx } }',
      'mcp_servers.box.comand is not a known key. Did you mean command?',
    ],
    ['mcp_servers: { box: { uri: http://x } }', 'mcp_servers.box.uri is not a known key. Did you mean url?'],
    [
      'mcp_servers: { command: npx }',
      'mcp_servers.command: must be a section: each server has a name of its own, and below it command or url.',
    ],
    [
      'mcp_servers: { box: { command: npx, env: { URL: http://x } } }',
      'mcp_servers.box.env: must be a list of names of environment variables, such as [API_URL]; their values go into .env.',
    ],
    [
      'mcp_servers: { Box: { command: npx } }',
      'mcp_servers.Box: this name must begin with a lower-case letter, followed by at most 30 lower-case letters, digits, - and _.',
    ],
    ['trust: alice', 'trust: must be collaborators, everyone, or a list of accounts such as [alice, bob].'],
    [
      'llm: { preset: lm-studio }',
      'llm.preset: must be one of openai, lmstudio, ollama. Did you mean lmstudio?',
    ],
    [
      'llm: { base_url: localhost:1234 }',
      'llm.base_url: must be an address that begins with http:// or https://.',
    ],
    [
      'telemetry: { enabled: "true" }',
      'telemetry.enabled: must be true or false, not text. Write it without quotes.',
    ],
    [
      'context_storage: { retention_days: 30 }',
      'context_storage.retention_days: must be at least context_inheritance.context_expiry_days (90): later runs inherit from runs of that age. Raise it, lower context_expiry_days, or leave it out.',
    ],
    ['context_storage: { cleanup_days: 30 }', 'context_storage.cleanup_days is not a known key.'],
    ['concurrency:', 'concurrency: must be a number, but is empty. Give it a value.'],
    ['workspaces: { author_email: me }', 'workspaces.author_email: must be an e-mail address.'],
  ])('is one line that says what to write: %s', (section, line) => {
    expect(listMistakes(`${minimal}${section}\n`)).toEqual([line]);
  });

  it.each([
    [
      'platforms: { github: { repository: acme/shop } }',
      'platforms.github.repository is not a known key. Did you mean repositories?',
    ],
    [
      'platforms: { gitlab: { repositories: [acme/shop] } }',
      'platforms.gitlab.repositories is not a known key. Did you mean projects?',
    ],
  ])('is not reported a second time as a missing key: %s', (text, line) => {
    expect(listMistakes(text)).toEqual([line]);
  });

  it('names both keys of which a server needs one, and each unknown key once', () => {
    expect(listMistakes(`${minimal}mcp_servers: { box: { server: x } }\n`)).toEqual([
      'mcp_servers.box needs command or url.',
      'mcp_servers.box.server is not a known key.',
    ]);
  });
});

describe('a secret in place of the name of its variable or file', () => {
  const token = 'ghp_0123456789abcdefghij0123456789abcdef';
  it.each([
    [`${minimal}    token_env: ${token}`, 'platforms.github.token_env', 'environment variable'],
    [`${minimal}    token_file: ${token}`, 'platforms.github.token_file', 'file'],
    [
      `${minimal}llm: { api_key_env: sk-proj-abcDEF0123456789abcDEF0123456789 }`,
      'llm.api_key_env',
      'variable',
    ],
    [
      `${minimal}storage: { postgres: { url_env: "postgres://a:secret99@host/b" } }`,
      'storage.postgres.url_env',
      'variable',
    ],
    [`${minimal}mcp_servers: { box: { command: x, env: [${token}] } }`, 'mcp_servers.box.env', 'variable'],
  ])('is one mistake that does not quote it: %s', (text, path, place) => {
    const lines = listMistakes(`${text}\n`);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`${path}: must name`);
    expect(lines[0]).toContain(place);
    expect(lines[0]).not.toMatch(/0123456789|secret99/);
  });

  it('is not seen in ordinary names', () => {
    const names = '    token_env: GITHUB_TOKEN_OF_THE_ROBOT_ACCOUNT_2\n';
    expect(listMistakes(`${minimal}${names}`)).toEqual([]);
    expect(listMistakes(`${minimal}    token_file: /run/secrets/Robot2/githubTokenOfTheRobot\n`)).toEqual([]);
  });
});
