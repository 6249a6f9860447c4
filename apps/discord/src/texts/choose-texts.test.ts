import { describe, expect, it } from 'vitest';
import { chooseLocale, chooseTexts } from './choose-texts.ts';
import { textsEn } from './texts.en.ts';
import { textsJa } from './texts.ja.ts';

describe('chooseLocale', () => {
  it.each([
    ['今日は?', 'en-US', 'ja'],
    ['<@1> カレー', null, 'ja'],
    ['what about lunch', 'ja', 'en'],
    ['42?', 'ja', 'ja'],
    ['<:笑:12> https://例.jp/', 'en-GB', 'en'],
    ['👍', null, 'en'],
  ])('speaks the language of %s on a server of %s [TC-44]', (content, guildLocale, expected) => {
    expect(chooseLocale({ content, guildLocale }, 'auto')).toBe(expected);
    expect(chooseLocale({ content, guildLocale }, 'ja')).toBe('ja');
  });
});

describe('chooseTexts', () => {
  it('puts somebody’s own texts in the place of ours [D13, TC-44]', () => {
    const texts = chooseTexts('ja', { FALLBACK_TIMEOUT: 'later' });
    expect(texts.fallback['model-timeout']).toBe('later');
    expect(texts.fallback['model-status']).toBe(textsJa.fallback['model-status']);
    expect(texts.emptyAnswer).toBe(textsJa.emptyAnswer);
  });

  it('has every text in both languages, short enough for one message [TC-44]', () => {
    for (const texts of [textsJa, textsEn]) {
      const all = [
        ...Object.values(texts.fallback),
        texts.emptyAnswer,
        texts.cutOff,
        texts.askForQuestion,
        texts.queueFull(1_000),
        texts.cannotPost('1'.repeat(20)),
      ];
      for (const text of all) {
        expect(text.length).toBeGreaterThan(5);
        expect(text.length).toBeLessThan(1_900);
      }
    }
    expect(Object.keys(textsJa)).toEqual(Object.keys(textsEn));
  });
});
