export type Locale = 'ja' | 'en';

export interface LocaleOptions {
  /** `auto` answers in the language of the issue. */
  readonly setting: 'auto' | Locale;
}

/** Kana and the ideographs that Japanese uses. */
const japanese = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]/;

/** The language that a thread is answered in: Japanese when its title or body has kana or kanji, else English. */
export function localeOf(thread: { title: string; body: string }, options: LocaleOptions): Locale {
  if (options.setting !== 'auto') return options.setting;
  return japanese.test(thread.title) || japanese.test(thread.body) ? 'ja' : 'en';
}
