// @module-tag full
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rehearsalSchema } from '@agent/rehearsal/shapes';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type CommandLine, runCommandLine } from '../bot/run-command-line.ts';
import { type RehearsalFixture, startRehearsalFixture } from './rehearsal-fixture.ts';

let fixture: RehearsalFixture | null = null;
let line: CommandLine | null = null;
afterEach(async () => {
  line?.kill('SIGKILL');
  await line?.ended;
  await fixture?.close();
  [fixture, line] = [null, null];
});

/** Starts the command in a process, in front of a user who follows its instructions. */
async function start(options: readonly string[] = [], settings: Readonly<Record<string, string>> = {}) {
  const opened = await startRehearsalFixture();
  fixture = opened;
  const { discord, directory, person } = opened;
  const environment = { ...opened.environment, ...settings };
  await writeFile(join(directory, 'bot.env'), '');
  const all = ['rehearse', '--channel', discord.generalId, '--yes', 'simulated guild', ...options];
  const started = runCommandLine(all, { directory, environment });
  line = started;
  let followed = 0;
  const follow = (): void => {
    const steps = started.output().match(/^→ .*(?:\n {2}.*)?$/gm) ?? [];
    for (const step of steps.slice(followed)) person.follow(step);
    followed = steps.length;
  };
  const timer = setInterval(follow, 50);
  void started.ended.finally(() => clearInterval(timer));
  return started;
}

describe('agent-discord rehearse in a process', () => {
  it('passes, and writes no text, name, address, id or token into rehearsal.json', {
    timeout: 300_000,
  }, async () => {
    const started = await start();
    expect(await started.ended, started.output()).toBe(0);
    expect(started.output()).toContain('21 passed, 0 failed, 1 not supported');
    const { discord, directory } = fixture as RehearsalFixture;
    const written = await readFile(join(directory, 'rehearsal.json'), 'utf8');
    const rehearsal = rehearsalSchema.parse(JSON.parse(written));
    expect(rehearsal.platform).toBe('discord');
    expect(rehearsal.checks).toHaveLength(22);
    const routes = rehearsal.exchanges.map(({ service, route }) => `${service} ${route}`);
    expect(routes).toContain('discord POST /channels/{channel_id}/messages');
    expect(routes).toContain('model POST /responses');
    expect(routes.filter((route) => route.includes('?'))).toEqual([]);
    for (const secret of [
      ...[discord.token, discord.guildId, discord.generalId, discord.bot.id, discord.bot.username],
      ...['alice', 'general', 'Simulated', 'Rehearsal', 'mango', '127.0.0.1'],
    ])
      expect(written).not.toContain(secret);
    const file = join(directory, 'rehearsal.json');
    const comparison = runCommandLine(['rehearse', '--compare', file], { directory });
    expect(await comparison.ended, comparison.output()).toBe(0);
    expect(comparison.output()).toContain('No differences found.');
  });

  it('removes what it created after Ctrl-C, and exits with 130', { timeout: 120_000 }, async () => {
    const started = await start();
    await started.untilWritten('✓ thread');
    started.kill('SIGINT');
    expect(await started.ended, started.output()).toBe(130);
    expect(started.output()).toContain('Interrupted. Removing');
    const { discord } = fixture as RehearsalFixture;
    const [thread] = discord.threads();
    expect(thread).toMatchObject({ thread_metadata: { archived: true } });
    const authors = discord.lastMessages(thread?.id ?? '').map(({ author }) => author.username);
    expect(authors).not.toContain(discord.bot.username);
    expect(started.output()).toContain('your message in the channel: 403 Missing Permissions');
  });

  it('lists what stays at a second Ctrl-C', { timeout: 120_000 }, async () => {
    const started = await start();
    await started.untilWritten('✓ thread');
    const { discord } = fixture as RehearsalFixture;
    discord.holdNext('DELETE /channels/:channel');
    started.kill('SIGINT');
    await started.untilWritten('Interrupted.');
    await discord.until(() => discord.countRequests('DELETE /channels/:channel') > 0);
    started.kill('SIGINT');
    expect(await started.ended).toBe(130);
    expect(started.output()).toMatch(/Not removed:\n {2}the thread of the rehearsal: https:/);
  });

  it('leaves no bot that runs if it is killed', { timeout: 120_000 }, async () => {
    const started = await start(['--env', 'bot.env']);
    const listPrograms = async () => (await promisify(execFile)('ps', ['-A', '-o', 'args'])).stdout;
    const bot = /--env bot\.env run$/m;
    await started.untilWritten('✓ start of the bot');
    expect(await listPrograms()).toMatch(bot);
    started.kill('SIGKILL');
    await started.ended;
    await vi.waitFor(async () => expect(await listPrograms()).not.toMatch(bot), {
      ...{ timeout: 30_000, interval: 200 },
    });
  });

  it('asks in Japanese with LOCALE=ja', { timeout: 120_000 }, async () => {
    const started = await start([], { LOCALE: 'ja' });
    await started.untilWritten('→ #general に次のように書いてください。');
    started.kill('SIGINT');
    expect(await started.ended).toBe(130);
    expect(started.output()).toContain('✓ トークン: Discord は suzume のトークンを受け付けました');
  });
});
