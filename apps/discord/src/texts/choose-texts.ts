import { detectLocale, type Locale } from '@agent/text';
import type { IncomingMessage } from '../message/incoming-message.ts';
import type { Settings } from '../settings/parse-settings.ts';
import { type Texts, textsEn } from './texts.en.ts';
import { textsJa } from './texts.ja.ts';

/** Custom texts from the settings. They replace the built-in texts in every language. */
type OwnTexts = Pick<Settings, Extract<keyof Settings, `FALLBACK_${string}`>>;

/** Chooses the texts of a language. Custom texts take precedence. */
export function chooseTexts(locale: Locale, own: OwnTexts): Texts {
  const texts = locale === 'ja' ? textsJa : textsEn;
  const { fallback } = texts;
  return {
    ...texts,
    fallback: {
      'model-unreachable': own.FALLBACK_UNREACHABLE ?? fallback['model-unreachable'],
      'model-timeout': own.FALLBACK_TIMEOUT ?? fallback['model-timeout'],
      'model-status': own.FALLBACK_STATUS ?? fallback['model-status'],
      'model-busy': own.FALLBACK_STATUS ?? fallback['model-busy'],
      'model-too-long': own.FALLBACK_STATUS ?? fallback['model-too-long'],
      'model-unusable': own.FALLBACK_STATUS ?? fallback['model-unusable'],
      'model-refused': own.FALLBACK_STATUS ?? fallback['model-refused'],
      'model-unreadable': own.FALLBACK_UNREADABLE ?? fallback['model-unreadable'],
      'model-text-call': own.FALLBACK_FAILED ?? fallback['model-text-call'],
      'model-failed': own.FALLBACK_FAILED ?? fallback['model-failed'],
    },
    emptyAnswer: own.FALLBACK_EMPTY ?? texts.emptyAnswer,
  };
}

/** Chooses the language to speak to the author of a message: the one it is written in, else the server's. */
export function chooseLocale(
  { content, guildLocale }: Pick<IncomingMessage, 'content' | 'guildLocale'>,
  setting: Locale | 'auto',
): Locale {
  if (setting !== 'auto') return setting;
  const words = content.replace(/<[^<>\s]*>|https?:\/\/\S+/g, '');
  return detectLocale(words) ?? (guildLocale?.startsWith('ja') === true ? 'ja' : 'en');
}
