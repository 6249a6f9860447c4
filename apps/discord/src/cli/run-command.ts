import { createLogger } from '../log/create-logger.ts';
import type { Logger } from '../logger.ts';
import { createModel } from '../model/create-model.ts';
import { findUnreachable } from '../model/find-unreachable.ts';
import { lacksPath } from '../model/lacks-path.ts';
import type { Settings } from '../settings/settings-schema.ts';
import type { CommandFlags, CommandIo } from './command-io.ts';
import { listenForShutdown } from './listen-for-shutdown.ts';
import { type LoadedSettings, loadSettings } from './load-settings.ts';

/**
 * `agent-discord`: answers until a signal comes.
 *
 * @returns the exit code: 130 or 143 after a signal
 * @throws BotError when it cannot begin, or Discord shuts it out
 */
export async function runCommand(flags: CommandFlags, io: CommandIo): Promise<number> {
  const { settings, texts } = await loadSettings(flags, io);
  const logger = openLog(settings);
  await warnOfModel({ settings, texts }, logger);
  // The library of Discord takes a third of a second to load.
  const { startBot } = await import('../start-bot.ts');
  const model = await createModel(settings);
  const running = await startBot({ settings, logger, model, loginTexts: texts });
  // Until now a signal ends the process: there was nothing to finish.
  const shutdown = listenForShutdown(process);
  try {
    const code = await Promise.race([shutdown.asked, running.lost]);
    io.warn(texts.stopping(settings.SHUTDOWN_SECONDS));
    await running.stop();
    return code;
  } finally {
    shutdown.stop();
  }
}

function openLog(settings: Settings): Logger {
  return createLogger({
    level: settings.DEBUG_ASSISTANT ? 'debug' : 'info',
    format: settings.LOG_FORMAT,
    secrets: [settings.DISCORD_TOKEN, ...(settings.LM_API_KEY === undefined ? [] : [settings.LM_API_KEY])],
    output: process.stdout,
  });
}

/** A model that is not there yet is no reason not to begin: people start it later, and reload it. */
async function warnOfModel({ settings, texts }: LoadedSettings, logger: Logger): Promise<void> {
  if (settings.MODEL_MODULE !== undefined) return;
  const reason = await findUnreachable(settings);
  if (lacksPath(settings)) logger.warn({}, texts.addressWithoutPath(settings.LM_BASE_URL));
  if (reason !== null) logger.warn({}, texts.modelUnreachable(settings.LM_BASE_URL, reason));
}
