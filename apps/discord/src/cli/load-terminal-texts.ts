import type { Environment } from '../settings/parse-settings.ts';
import type { TerminalTexts } from './terminal-texts.ts';

/** The command line speaks the language of `LOCALE`, else that of the terminal, else English. */
export async function loadTerminalTexts(environment: Environment): Promise<TerminalTexts> {
  const { LOCALE, LC_ALL, LC_MESSAGES, LANG } = environment;
  const named = LOCALE === 'ja' || LOCALE === 'en' ? LOCALE : LC_ALL || LC_MESSAGES || LANG || '';
  return /^ja(?:[_.@-]|$)/i.test(named)
    ? (await import('./terminal-texts-ja.ts')).terminalTextsJa
    : (await import('./terminal-texts-en.ts')).terminalTextsEn;
}
