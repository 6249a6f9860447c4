import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDiscordSimulator } from '@agent/simulators/discord';
import { startLmStudio } from '@agent/simulators/lm-studio';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, it, onTestFinished } from 'vitest';
import { DiscordBot } from '../src/index.ts';

async function openStage() {
  const discord = await startDiscordSimulator();
  const lmStudio = await startLmStudio({ script: () => 'Four.' });
  onTestFinished(async () => {
    await discord.close();
    await lmStudio.close();
  });
  const environment = {
    DISCORD_API_URL: discord.apiUrl,
    LM_BASE_URL: lmStudio.baseUrl,
    DISCORD_TOKEN: discord.token,
    LOCALE: 'en',
  };
  const ask = async () => {
    const { id } = discord.people.say('alice', discord.generalId, 'What is 2 + 2?', { mention: true });
    const texts = () => discord.lastMessages(id).map(({ content }) => content);
    await expect.poll(() => discord.threads().map((thread) => thread.id), { timeout: 10_000 }).toContain(id);
    return { texts };
  };
  return { discord, environment, ask };
}

it('the example of the README runs as a program, and answers', async () => {
  const { environment, ask } = await openStage();
  const folder = fileURLToPath(new URL('..', import.meta.url));
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  const [, example = ''] = /^```ts\n([\s\S]*?)^```/m.exec(readme) ?? [];
  // In the package, which finds itself by name.
  const place = await mkdtemp(join(folder, 'test', '.example-'));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  await writeFile(join(place, 'example.ts'), example);
  const program = spawn(process.execPath, ['--conditions=@agent/source', join(place, 'example.ts')], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => program.once('close', resolve));
  let output = '';
  program.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await expect.poll(() => output, { timeout: 20_000 }).toContain('answers as');
  const { texts } = await ask();
  await expect.poll(texts, { timeout: 10_000 }).toContain('Four.');
  program.kill('SIGTERM');
  await ended;
});

it('a program gives the bot a token and a model of the AI SDK', async () => {
  const { environment, ask } = await openStage();
  const { DISCORD_TOKEN: token, ...others } = environment;
  const finishReason = { unified: 'stop', raw: 'stop' } as const;
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const content = [{ type: 'text' as const, text: 'Four, by the model of the program.' }];
  const model = new MockLanguageModelV4({
    doGenerate: async () => ({ content, finishReason, usage, warnings: [] }),
  });
  const bot = new DiscordBot({ token, model, environment: others });
  expect(() => bot.account).toThrow(TypeError);
  await bot.start();
  onTestFinished(() => bot.stop());
  expect(bot.account.id).toMatch(/^\d+$/);
  const { texts } = await ask();
  await expect.poll(texts, { timeout: 10_000 }).toContain('Four, by the model of the program.');
});

it('a program is told which setting is wrong', async () => {
  const bot = new DiscordBot({ token: 'x', environment: { CATCH_UP_MINUTES: 'soon' } });
  await expect(bot.start()).rejects.toMatchObject({
    code: 'settings',
    message: expect.stringMatching('CATCH_UP_MINUTES'),
  });
  await expect(new DiscordBot().start()).rejects.toMatchObject({ code: 'settings' });
  await bot.stop();
});

it('a bot whose start failed starts at the next call, and again after it was stopped', async () => {
  const { discord, environment, ask } = await openStage();
  const bot = new DiscordBot({ environment });
  onTestFinished(() => bot.stop());
  discord.failNext('GET /gateway/bot', 404);
  await expect(bot.start()).rejects.toMatchObject({ code: 'login' });
  await bot.start();
  await bot.stop();
  await bot.start();
  const { texts } = await ask();
  await expect.poll(texts, { timeout: 10_000 }).toContain('Four.');
});

it('a bot that is stopped while Discord does not answer gives up its start at once', async () => {
  const { discord, environment } = await openStage();
  const bot = new DiscordBot({ environment });
  const held = discord.holdNext('GET /gateway/bot');
  onTestFinished(held.release);
  const started = expect(bot.start()).rejects.toMatchObject({ code: 'stopped' });
  await held.arrived;
  await bot.stop();
  await started;
  held.release();
  await bot.start();
  // The first login opens no session when its answer arrives.
  expect(discord.gatewayLog.filter(({ kind }) => kind === 'identify')).toHaveLength(1);
  await bot.stop();
});

it('a bot that is stopped during an outage does not wait for the next attempt to log in', async () => {
  const { discord, environment } = await openStage();
  const retried = Promise.withResolvers<void>();
  const ignore = (): void => {};
  const warn = (_: object, message: string): void => {
    if (message === 'failed to log in; retrying') retried.resolve();
  };
  const bot = new DiscordBot({ environment, logger: { debug: ignore, info: ignore, warn, error: ignore } });
  discord.failNext('GET /gateway/bot', 503, { times: 100 });
  const started = expect(bot.start()).rejects.toMatchObject({ code: 'stopped' });
  await retried.promise;
  const before = discord.countRequests('GET /gateway/bot');
  await bot.stop();
  await started;
  expect(discord.countRequests('GET /gateway/bot')).toBe(before);
});
