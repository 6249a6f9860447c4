import { detectLocale, type Locale } from '@agent/text';
import type { IncomingMessage } from '../message/incoming-message.ts';
import type { Settings } from '../settings/parse-settings.ts';
import type { ModelFailure, Texts } from './texts.en.ts';
import { textsEn } from './texts.en.ts';
import { textsJa } from './texts.ja.ts';

/** Texts that somebody put in the place of ours, in whatever language. */
export interface OwnTexts {
  /** Null: ours. */
  readonly fallback: Readonly<Record<ModelFailure, string | null>>;
  readonly emptyAnswer: string | null;
}

/** Chooses the texts of a language, with somebody's own texts where there are any. */
export function chooseTexts(locale: Locale, own: OwnTexts): Texts {
  const texts = locale === 'ja' ? textsJa : textsEn;
  const replaced = Object.entries(own.fallback).filter(([, text]) => text !== null);
  return {
    ...texts,
    fallback: { ...texts.fallback, ...Object.fromEntries(replaced) },
    emptyAnswer: own.emptyAnswer ?? texts.emptyAnswer,
  };
}

/** In which language to speak to the author of a message: the one it is written in, else the server's. */
export function chooseLocale(
  { content, guildLocale }: Pick<IncomingMessage, 'content' | 'guildLocale'>,
  setting: Locale | 'auto',
): Locale {
  if (setting !== 'auto') return setting;
  const words = content.replace(/<[^<>\s]*>|https?:\/\/\S+/g, '');
  return detectLocale(words) ?? (guildLocale?.startsWith('ja') === true ? 'ja' : 'en');
}

/** The texts that the settings put in the place of ours. */
export function toOwnTexts(settings: Settings): OwnTexts {
  return {
    fallback: {
      'model-unreachable': settings.FALLBACK_UNREACHABLE ?? null,
      'model-timeout': settings.FALLBACK_TIMEOUT ?? null,
      'model-status': settings.FALLBACK_STATUS ?? null,
      'model-unreadable': settings.FALLBACK_UNREADABLE ?? null,
      'model-failed': settings.FALLBACK_FAILED ?? null,
    },
    emptyAnswer: settings.FALLBACK_EMPTY ?? null,
  };
}
