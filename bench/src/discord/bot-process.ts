import { setTimeout as wait } from 'node:timers/promises';
import { parseSettings } from '@agent/discord/parse-settings';
import { startBot } from '@agent/discord/start-bot';
import { fromLmStudio, LmStudioClient } from '@agent/runner/reply';
import type { BotFigures } from './fork-bot.ts';

/** The bot in a process of its own: its parent asks for its figures by messages, and ends it by leaving. */
const noTexts = { wrongSettings: 'wrong settings', tokenMissing: 'no token' };
const settings = parseSettings(process.env, noTexts);
const silent = () => {};
const running = await startBot({
  settings,
  model: fromLmStudio(new LmStudioClient({ baseUrl: settings.LM_BASE_URL, model: settings.LM_MODEL })),
  logger: { debug: silent, info: silent, warn: console.warn, error: console.error },
  loginTexts: {
    wrongToken: 'wrong token',
    missingIntents: 'missing intents',
    discordUnreachable: (reason) => reason,
  },
  library: { rest: { globalRequestsPerSecond: Number(process.env.BENCH_REQUESTS_PER_SECOND) } },
});
process.send?.('ready');

process.on('message', async () => {
  // Long enough for answers on their way to be taken in.
  await wait(500);
  const { user, system } = process.cpuUsage();
  const residentBytes = process.memoryUsage.rss();
  for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const figures: BotFigures = {
    cpuMs: (user + system) / 1_000,
    residentBytes,
    liveBytes: heapUsed + external,
  };
  process.send?.(figures);
});

process.on('disconnect', () => void running.stop().then(() => process.exit(0)));
