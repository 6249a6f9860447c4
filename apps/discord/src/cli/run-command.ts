import type { Logger } from '@agent/text';
import { toPlainLine } from '@agent/thread-context/chat';
import { pino } from 'pino';
import { createModel, findBareHost, findModelProblem } from '../create-model.ts';
import type { Settings } from '../settings/parse-settings.ts';
import { type CommandFlags, type CommandIo, type LoadedSettings, loadSettings } from './command-io.ts';

/**
 * `agent-discord`: answers until a signal comes.
 *
 * @returns the exit code: 130 or 143 after a signal
 * @throws BotError when it cannot begin, or Discord shuts it out
 */
export async function runCommand(flags: CommandFlags, io: CommandIo): Promise<number> {
  const { settings, texts } = await loadSettings(flags, io);
  const logger = createLogger(settings, process.stdout);
  await warnOfModel({ settings, texts }, logger);
  // The library of Discord takes a third of a second to load.
  const { startBot } = await import('../start-bot.ts');
  const model = await createModel(settings);
  const shutdown = listenForShutdown();
  try {
    const starting = startBot({ settings, logger, model, loginTexts: texts });
    const running = await Promise.race([starting, shutdown.asked]);
    // There is nothing to finish yet, and whatever hangs would keep the process.
    if (typeof running === 'number') process.exit(running);
    const code = await Promise.race([shutdown.asked, running.lost]);
    io.warn(texts.stopping(settings.SHUTDOWN_SECONDS));
    await running.stop();
    return code;
  } finally {
    shutdown.stop();
  }
}

/** A model that is not there yet is no reason not to begin: people start it later, and reload it. */
async function warnOfModel({ settings, texts }: LoadedSettings, logger: Logger): Promise<void> {
  const reason = await findModelProblem(settings);
  const host = findBareHost(settings);
  if (host !== null) logger.warn({ hint: texts.addressWithoutPath(host) }, 'model address has no path');
  if (reason !== null)
    logger.warn({ hint: texts.modelUnreachable(settings.LM_BASE_URL, reason) }, 'failed to reach model');
}

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

interface Shutdown {
  /** Resolves with the exit code when the first signal comes: 128 and the number of the signal. */
  readonly asked: Promise<number>;
  readonly stop: () => void;
}

/** The first signal asks to stop, the second ends the process at once. */
function listenForShutdown(): Shutdown {
  const { promise: asked, resolve } = Promise.withResolvers<number>();
  let isAsked = false;
  const onSignal = (name: keyof typeof exitCodes): void => {
    if (isAsked) process.exit(exitCodes[name]);
    isAsked = true;
    resolve(exitCodes[name]);
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return { asked, stop: () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal) };
}

/** A pino logger that keeps the secrets of the settings, wherever they stand; `auto` is pretty on a terminal, JSON elsewhere. */
export function createLogger(
  {
    DEBUG_ASSISTANT: isDebug,
    LOG_FORMAT: format,
    DISCORD_TOKEN: token,
    LM_API_KEY: apiKey = token,
  }: Pick<Settings, 'DEBUG_ASSISTANT' | 'LOG_FORMAT' | 'DISCORD_TOKEN' | 'LM_API_KEY'>,
  output: NodeJS.WritableStream & { readonly isTTY?: boolean },
): Logger {
  const isPretty = format === 'pretty' || (format === 'auto' && output.isTTY === true);
  const spellings = [token, apiKey].flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const write = (line: string): void => {
    const clean = spellings.reduce((text, secret) => text.replaceAll(secret, '[REDACTED]'), line);
    output.write(isPretty ? formatLine(clean) : clean);
  };
  return pino({ level: isDebug ? 'debug' : 'info', base: null }, { write });
}

const levels: Readonly<Record<string, string>> = { 20: 'DEBUG ', 30: '', 40: 'WARN ', 50: 'ERROR ' };

/** A line of JSON for people; what came in with a value cannot command the terminal. */
function formatLine(line: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const clock = new Date(Number(time)).toTimeString().slice(0, 8);
  const shown = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => `  ${key}=${show(value)}`);
  return `${clock}  ${levels[String(level)] ?? ''}${show(msg)}${shown.join('')}\n`;
}

function show(value: unknown): string {
  return toPlainLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}
