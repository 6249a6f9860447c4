import { checkOptions, expectOneOf } from './check-options.ts';
import { detectLocale, type Locale } from './locale.ts';

/** The choice of a language. */
export interface LocaleOptions {
  /** `auto` answers in the language of the thread. */
  readonly setting: 'auto' | Locale;
}

/**
 * The language that a thread is answered in: that of its title and body, English where neither tells.
 *
 * @example
 * localeOf({ title: '修正', body: '' }, { setting: 'auto' }); // 'ja'
 */
export function localeOf(thread: { title: string; body: string }, options: LocaleOptions): Locale {
  checkOptions('LocaleOptions', options, { setting: expectOneOf('auto', 'en', 'ja') }, ['setting']);
  const { setting } = options;
  if (setting !== 'auto') return setting;
  return detectLocale(`${thread.title}\n${thread.body}`) ?? 'en';
}
