import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { type CommandResult, runCommand } from '../../../test/support/command.ts';
import { startHealthyWorld } from '../../../test/support/examination.ts';
import { gitLabToken } from '../../../test/support/gitlab-forge.ts';
import { repository, token, type World, type WorldOptions } from '../../../test/support/world.ts';
import { labelsCommand } from './labels.ts';

const ours = [
  'coding agent',
  'coding agent processing',
  'coding agent done',
  'coding agent partial',
  'coding agent failed',
  'coding agent paused',
  'coding agent stopped',
].join(', ');

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

async function start(options: Partial<WorldOptions> = {}): Promise<World> {
  world = await startHealthyWorld(options);
  return world;
}

function labels(
  at: World,
  { dryRun, ...environment }: { readonly dryRun?: boolean; readonly [name: string]: unknown } = {},
): Promise<CommandResult> {
  return runCommand((io) => labelsCommand({ config: at.configFile, dryRun }, io), {
    environment: { GITHUB_TOKEN: token, GITLAB_TOKEN: gitLabToken, ...environment } as Record<string, string>,
  });
}

/** Changes the section of GitHub in the configuration of a world. */
async function configure(at: World, section: object): Promise<void> {
  const config = parse(await readFile(at.configFile, 'utf8'));
  Object.assign(config.platforms.github, section);
  await writeFile(at.configFile, stringify(config));
}

const writesOf = (at: World): readonly string[] =>
  at.gitHub.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);

describe('labels', () => {
  it('creates the missing labels in all repositories and projects, and then finds them', async () => {
    const at = await start({ forges: ['github', 'gitlab'] });
    expect(await labels(at)).toEqual({
      code: 0,
      errors: '',
      output: `✓ ${repository}: created ${ours}\n✓ ${repository}: created ${ours}`,
    });
    expect(await labels(at)).toMatchObject({
      code: 0,
      output: `✓ ${repository}: all labels exist\n✓ ${repository}: all labels exist`,
    });
    expect((await labels(at, { LANG: 'ja_JP.UTF-8' })).output).toContain('ラベルはすべてあります');
  });

  it('leaves an existing label as it is, and creates the configured names', async () => {
    const at = await start({ section: { bot_label: 'bot', done_label: 'bot done' } });
    at.gitHub.openIssue({ repo: repository, author: 'alice', title: 't', labels: ['Bot'] });
    const { output } = await labels(at);
    expect(output).toContain('created coding agent processing, bot done, coding agent partial');
    expect(writesOf(at)).toHaveLength(6);
  });

  it('changes nothing in a dry run', async () => {
    const at = await start();
    expect(await labels(at, { dryRun: true })).toMatchObject({
      code: 0,
      output: `! ${repository}: missing ${ours}`,
    });
    expect(writesOf(at)).toEqual([]);
  });

  it('finds the repositories of patterns, and continues after one that fails', async () => {
    const at = await start();
    await at.forge.addRepository('acme/tools');
    await configure(at, { repositories: ['acme/gone', 'acme/*'] });
    const { code, output } = await labels(at);
    expect(code).toBe(1);
    const [gone = '', fix, ...others] = output.split('\n');
    expect(gone).toMatch(/^✗ acme\/gone: Could not list the labels of acme\/gone: .*may not see it/);
    expect(fix).toBe('    → Give the token access to this repository, or create the labels there yourself.');
    expect(others.sort()).toEqual([`✓ acme/shop: created ${ours}`, `✓ acme/tools: created ${ours}`]);
  });

  it('names the missing permission', async () => {
    const at = await start();
    const reading = 'ghp_ThisIsATokenThatMayOnlyRead0000001';
    const permissions = { contents: 'read', issues: 'read', pull_requests: 'read' } as const;
    at.gitHub.addToken({ token: reading, login: 'robot', permissions });
    const { code, output } = await labels(at, { GITHUB_TOKEN: reading });
    expect(code).toBe(1);
    expect(output).toMatch(
      /^✗ acme\/shop: Could not create the label coding agent .*the token lacks issues: write/,
    );
    expect(output).toContain('\n    → Give the token access');
  });

  it('reports a platform that refuses the token', async () => {
    const at = await start({ forges: ['github', 'gitlab'] });
    const { code, output } = await labels(at, { GITHUB_TOKEN: 'wrong' });
    expect(code).toBe(1);
    expect(output).toMatch(/^✗ github: .*GitHub refused the token/);
    expect(output).toContain(`✓ ${repository}: created`);
  });

  it('says that other triggers need no labels', async () => {
    const at = await start({ section: { trigger: 'mention' } });
    expect(await labels(at)).toMatchObject({
      code: 0,
      output: '✓ github: no labels needed (trigger: mention)',
    });
    expect(at.gitHub.requests).toEqual([]);
  });
});
