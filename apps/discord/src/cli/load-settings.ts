import { parseSettings, readEnvironment, readInstructions } from '../settings/parse-settings.ts';
import type { Settings } from '../settings/settings-schema.ts';
import type { CommandFlags, CommandIo } from './command-io.ts';
import { loadTerminalTexts } from './command-io.ts';
import type { TerminalTexts } from './terminal-texts.en.ts';

export interface LoadedSettings {
  readonly settings: Settings;
  readonly texts: TerminalTexts;
}

/** Reads the settings and the language to speak. @throws BotError `settings` */
export async function loadSettings(
  { env }: CommandFlags,
  { environment }: CommandIo,
): Promise<LoadedSettings> {
  const file = { path: env ?? '.env', isNamed: env !== undefined };
  const whole = await readEnvironment(file, environment);
  const texts = await loadTerminalTexts(whole);
  return { settings: await readInstructions(parseSettings(whole, texts)), texts };
}
