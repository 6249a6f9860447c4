import { describe, expect, it } from 'vitest';
import { detectLocale, processLocale } from './locale.ts';
import { localeOf } from './thread-locale.ts';

describe('detectLocale', () => {
  it('tells no language of a text without letters', () => {
    expect(['42?', '👍', ''].map(detectLocale)).toEqual([null, null, null]);
    expect(['ok 👍', '了解', 'ﾊｲ'].map(detectLocale)).toEqual(['en', 'ja', 'ja']);
  });
});

describe('localeOf', () => {
  it('answers in the language of the issue: Japanese where title or body has kana or kanji [X9]', () => {
    expect(localeOf({ title: 'Fix it', body: 'please' }, { setting: 'auto' })).toBe('en');
    expect(localeOf({ title: 'Fix it', body: 'お願いします' }, { setting: 'auto' })).toBe('ja');
    expect(localeOf({ title: '修正', body: '' }, { setting: 'auto' })).toBe('ja');
    expect(localeOf({ title: '修正', body: '' }, { setting: 'en' })).toBe('en');
    expect(localeOf({ title: 'Привет 🎉', body: 'naïve' }, { setting: 'auto' })).toBe('en');
  });
});

describe('processLocale', () => {
  it.each([
    [{ LANG: 'ja_JP.UTF-8' }, 'ja'],
    [{ LANG: 'ja' }, 'ja'],
    [{ LC_ALL: 'C', LANG: 'ja_JP.UTF-8' }, 'en'],
    [{ LC_MESSAGES: 'ja_JP', LANG: 'en_US' }, 'ja'],
    [{ LC_ALL: '', LANG: 'ja_JP' }, 'ja'],
    [{ LANG: 'jam_JM' }, 'en'],
    [{}, 'en'],
  ] as const)('%o speaks %s', (environment, locale) => expect(processLocale(environment)).toBe(locale));
});
