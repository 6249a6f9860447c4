import { processLocale } from '@agent/text/locale';
import type { Environment, Settings } from '../settings/parse-settings.ts';
import type { TerminalTexts } from '../terminal-texts.en.ts';

/** The parts of the process that a command may touch. */
export interface CommandIo {
  readonly environment: Environment;
  readonly print: (text: string) => void;
  readonly warn: (text: string) => void;
}

/** Flags of the command line. */
export interface CommandFlags {
  /** Undefined: `.env`, if there is one. */
  readonly env?: string | undefined;
}

/** That of this process. */
export function processIo(): CommandIo {
  return {
    environment: process.env,
    print: (text) => void process.stdout.write(`${text}\n`),
    warn: (text) => void process.stderr.write(`${text}\n`),
  };
}

/** The command line speaks the language of `LOCALE`, else that of the terminal, else English. */
export async function loadTerminalTexts(environment: Environment): Promise<TerminalTexts> {
  const { LOCALE } = environment;
  const locale = LOCALE === 'ja' || LOCALE === 'en' ? LOCALE : processLocale(environment);
  return locale === 'ja'
    ? (await import('../terminal-texts.ja.ts')).terminalTextsJa
    : (await import('../terminal-texts.en.ts')).terminalTextsEn;
}

/** The settings, and the texts of the language to speak. */
export type LoadedSettings = Readonly<{ settings: Settings; texts: TerminalTexts }>;

/** Reads the settings and the language to speak. @throws BotError `settings` */
export async function loadSettings(
  { env }: CommandFlags,
  { environment, warn }: CommandIo,
): Promise<LoadedSettings> {
  const { parseSettings, readEnvironment, readInstructions } = await import('../settings/parse-settings.ts');
  const file = { path: env ?? '.env', isNamed: env !== undefined };
  const { environment: whole, problems } = await readEnvironment(file, environment);
  const texts = await loadTerminalTexts(whole);
  for (const { line, kind, name } of problems)
    warn(`${file.path}:${line}: ${texts.envProblems[kind](name ?? '')}`);
  return { settings: await readInstructions(parseSettings(whole, texts)), texts };
}
