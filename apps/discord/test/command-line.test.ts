import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DiscordSimulator, startDiscordSimulator } from '@agent/simulators/discord';
import { type LmStudio, startLmStudio } from '@agent/simulators/lm-studio';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, runCommandLine } from './bot/run-command-line.ts';

let discord: DiscordSimulator;
let lmStudio: LmStudio;
let directory: string;
const running: CommandLine[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'agent-discord-'));
});
afterAll(() => rm(directory, { recursive: true }));
beforeEach(async () => {
  discord = await startDiscordSimulator();
  lmStudio = await startLmStudio({ script: () => 'hello from the model' });
});
afterEach(async () => {
  for (const line of running.splice(0)) {
    line.kill('SIGKILL');
    await line.ended;
  }
  await lmStudio.close();
  await discord.close();
});

async function start(
  commandArguments: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<CommandLine> {
  const all = {
    DISCORD_TOKEN: discord.token,
    DISCORD_API_URL: discord.apiUrl,
    LM_BASE_URL: lmStudio.baseUrl,
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}=${value}`);
  await writeFile(join(directory, '.env'), `${lines.join('\n')}\n`);
  const line = runCommandLine(commandArguments, { directory });
  running.push(line);
  return line;
}

describe('agent-discord', () => {
  it('answers until SIGTERM, with its settings from .env [TC-25, TC-30, TC-31, D16]', {
    tags: ['full'],
  }, async () => {
    const line = await start();
    await line.untilWritten('connected to Discord');
    const question = discord.people.say('alice', discord.generalId, 'secret question', { mention: true });
    await line.untilWritten('"answered message"');
    line.kill('SIGTERM');

    expect(await line.ended).toBe(143);
    expect(discord.lastMessages(question.id, 1)[0]?.content).toBe('hello from the model');
    expect(line.output()).not.toMatch(/secret question|hello from the model|simulated\.discord\.token/);
    expect(line.output()).not.toMatch(/"chars"|"sha256"/);
    // It leaves by itself: there is no connection to repair.
    expect(line.output()).not.toContain('reconnecting to Discord');
  });

  it('logs lengths and hashes of texts with DEBUG_ASSISTANT, and no more of them [TC-34, TC-46, D16]', {
    tags: ['full'],
  }, async () => {
    const line = await start([], { DEBUG_ASSISTANT: 'true' });
    await line.untilWritten('connected to Discord');
    discord.people.say('alice', discord.generalId, 'secret question', { mention: true });
    await line.untilWritten('"answered message"');

    expect(line.output()).toMatch(/"chars":28,"sha256":"[0-9a-f]{12}","msg":"calling model"/);
    expect(line.output()).not.toMatch(/secret question|hello from the model/);
  });

  it('finishes the answer under way when it is interrupted [TC-59]', { tags: ['full'] }, async () => {
    const held = lmStudio.holdNext();
    const line = await start();
    await line.untilWritten('connected to Discord');
    const { id } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
    await held.arrived;
    line.kill('SIGINT');
    await line.untilWritten('Stopping');
    held.release();

    expect(await line.ended).toBe(130);
    expect(discord.lastMessages(id, 1)[0]?.content).toBe('hello from the model');
  });

  it.each([
    [
      'there is no token',
      { DISCORD_TOKEN: '' },
      'DISCORD_TOKEN is missing. Open https://discord.com/developers',
    ],
    ['the token is wrong', { DISCORD_TOKEN: 'wrong.token' }, 'Discord rejected DISCORD_TOKEN. Open https://'],
    ['Discord is not there', { DISCORD_API_URL: 'http://127.0.0.1:1/api' }, 'Cannot connect to Discord ('],
    [
      'a setting is wrong',
      { MAX_THREAD_MESSAGES: 'many' },
      'MAX_THREAD_MESSAGES: must be a whole number from 1 to',
    ],
  ])('says what to do when %s [TC-30, TC-42]', { tags: ['full'] }, async (_, settings, text) => {
    const line = await start([], settings);

    expect(await line.ended).toBe(1);
    expect(line.output()).toContain(text);
    expect(line.output()).not.toMatch(/wrong\.token|^\s+at /m);
  });

  it('says which file with settings it cannot read [TC-25, TC-30]', { tags: ['full'] }, async () => {
    const line = await start(['--env', 'nowhere']);

    expect(await line.ended).toBe(1);
    expect(line.output()).toBe('agent-discord: cannot read nowhere (ENOENT)\n');
  });

  it('says what to switch on when Discord refuses the intents, in Japanese too [TC-42]', {
    tags: ['full'],
  }, async () => {
    discord.setPrivileged({ messageContent: false });
    const english = await start();
    expect(await english.ended).toBe(1);
    expect(english.output()).toContain('turn on "Message Content Intent", save, and start again');

    const japanese = await start([], { LOCALE: 'ja' });
    expect(await japanese.ended).toBe(1);
    expect(japanese.output()).toContain('「Message Content Intent」を有効にして保存し');
  });

  it('ends with a reason when Discord shuts it out later [TC-42]', { tags: ['full'] }, async () => {
    const line = await start();
    await line.untilWritten('connected to Discord');
    discord.dropGateway(4004);

    expect(await line.ended).toBe(1);
    expect(line.output()).toContain('Discord rejected DISCORD_TOKEN');
  });

  it('ends at once when it is interrupted before Discord has let it in [TC-42]', {
    tags: ['full'],
  }, async () => {
    const held = discord.holdNext('GET /gateway/bot');
    const line = await start();
    await held.arrived;
    line.kill('SIGINT');

    expect(await line.ended).toBe(130);
    held.release();
  });

  it('waits for a Discord that is out of order, and ends at once when it is interrupted meanwhile [NX-103]', {
    tags: ['full'],
  }, async () => {
    discord.failNext('GET /gateway/bot', 503, { times: 100 });
    const line = await start();
    await line.untilWritten('failed to log in; retrying');
    line.kill('SIGTERM');

    expect(await line.ended).toBe(143);
  });

  it('begins without a model, and says how to start one [TC-31, TC-42]', { tags: ['full'] }, async () => {
    const line = await start([], { LM_BASE_URL: 'http://127.0.0.1:1/v1' });
    await line.untilWritten('connected to Discord');

    expect(line.output()).toContain('load a model, then Developer');
  });
});

describe('agent-discord doctor', () => {
  it('tries all that answering needs, and posts nothing [TC-42]', { tags: ['full'] }, async () => {
    const line = await start(['doctor']);

    expect(await line.ended).toBe(0);
    expect(line.output().replace(/\d+ ms/, 'N ms')).toMatchInlineSnapshot(`
      "✓ The settings are valid.
      ✓ Logged in as suzume. Servers: 1.
      ✓ The model answered in N ms.

      Everything works. To start the bot, run this command without "doctor".
      "
    `);
    expect(discord.lastMessages(discord.generalId)).toEqual([]);
  });

  it('says what to fix [TC-42]', { tags: ['full'] }, async () => {
    discord.revoke('CreatePublicThreads');
    lmStudio.reload([]);
    const line = await start(['doctor']);

    expect(await line.ended).toBe(1);
    expect(line.output()).toMatch(/✗ .*: the bot lacks CreatePublicThreads/);
    expect(line.output()).toMatch(/✗ The model server is running, but the model did not answer/);
    expect(line.output()).toContain('2 problems to fix.');
  });
});
