import type { Locale } from '@agent/text';
import type { ModelFailure, Texts } from './texts.ts';
import { textsEn } from './texts-en.ts';
import { textsJa } from './texts-ja.ts';

/** Texts that somebody put in the place of ours, in whatever language. */
export interface OwnTexts {
  /** Null: ours. */
  readonly fallback: Readonly<Record<ModelFailure, string | null>>;
  readonly emptyAnswer: string | null;
}

/** What the bot says in a language, with somebody's own texts where there are any. */
export function chooseTexts(locale: Locale, own: OwnTexts): Texts {
  const texts = locale === 'ja' ? textsJa : textsEn;
  const replaced = Object.entries(own.fallback).filter(([, text]) => text !== null);
  return {
    ...texts,
    fallback: { ...texts.fallback, ...Object.fromEntries(replaced) },
    emptyAnswer: own.emptyAnswer ?? texts.emptyAnswer,
  };
}
