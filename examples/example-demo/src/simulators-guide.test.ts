// @module-tag release
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseWorld, startWorld } from '@agent/simulators';
import { expect, it, onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';
import { toDaemonEnvironment } from './run-daemon.ts';
import { spawnApp } from './spawn-app.ts';

const guide = readFileSync(
  fileURLToPath(new URL('../../../docs/guides/simulators.md', import.meta.url)),
  'utf8',
);

/** The blocks of a language under "Run the daemon in a simulated world". */
function listBlocks(language: string): readonly string[] {
  const [, walk = ''] = /\n## Run the daemon in a simulated world\n([\s\S]+?)\n## /.exec(guide) ?? [];
  const blocks = [...walk.matchAll(new RegExp(`^ {3}\`\`\`${language}\n([\\s\\S]+?)\n {3}\`\`\``, 'gm'))];
  return blocks.map(([, text = '']) => text.replaceAll(/^ {3}/gm, ''));
}

const [worldText = '', configText = ''] = listBlocks('yaml');
const [, commands = ''] = listBlocks('sh');

it('docs/guides/simulators.md leads to a draft pull request by its files and commands', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'simulators-guide-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const world = await startWorld(parseWorld(worldText));
  onTestFinished(world.close);
  const { github = '', model = '' } = world.urls();
  const config = parse(configText);
  Object.assign(config.platforms.github, { base_url: github });
  Object.assign(config.llm, { base_url: model });
  Object.assign(config.tools.run_command, { allow_root: true });
  const configPath = join(directory, 'agent.config.yaml');
  writeFileSync(configPath, stringify(config));
  const [, token = ''] = /^export GITHUB_TOKEN=(\S+)$/m.exec(commands) ?? [];
  const lines: string[] = [];
  const run = (flags: readonly string[]) =>
    spawnApp({
      ...{ entry: 'apps/daemon/src/main.ts', flags },
      environment: toDaemonEnvironment(process.env, { GITHUB_TOKEN: token }),
      onLine: (line) => void lines.push(line),
    }).ended;

  for (const [, command = ''] of commands.matchAll(/^npm run daemon -- (.+)$/gm)) {
    const flags = command.replace('/tmp/world/agent.config.yaml', configPath).split(' ');
    expect(await run(flags), lines.join('\n')).toBe(0);
  }
  expect(lines.at(-1)).toMatch(/^alice\/shop#1 +completed .* The sum is wrong$/);
  const headers = { authorization: `Bearer ${token}` };
  const draft = await (await fetch(`${github}/repos/alice/shop/pulls/2`, { headers })).json();
  expect(draft).toMatchObject({ draft: true, head: { ref: 'agent/issue-1-the-sum-is-wrong' } });
  const comments = await (await fetch(`${github}/repos/alice/shop/issues/1/comments`, { headers })).json();
  expect(JSON.stringify(comments)).toContain('The sum is 4 now.');
});
