import { parseSettings } from '@agent/discord/parse-settings';
import { startBot } from '@agent/discord/start-bot';
import { fromLmStudio, LmStudioClient } from '@agent/runner/reply';

/** The bot in a process of its own, from its sources: reports when it is connected, and stops when its parent disconnects. */
const settings = parseSettings(process.env, { wrongSettings: 'wrong settings', tokenMissing: 'no token' });
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
});
process.send?.('ready');
process.on('disconnect', () => void running.stop().then(() => process.exit(0)));
