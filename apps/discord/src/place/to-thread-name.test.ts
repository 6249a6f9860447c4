import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toThreadName } from './ensure-thread.ts';

describe('toThreadName', () => {
  it('names a thread after the bot and the first question [TC-48]', () => {
    expect(toThreadName('suzume', '今日の予定を3行でまとめて')).toBe('suzume: 今日の予定を3行でまとめて');
    expect(toThreadName('suzume', '  two\n lines\t')).toBe('suzume: two lines');
  });

  it('calls it a conversation where there is nothing to name it after [TC-48]', () => {
    expect(toThreadName('suzume', ' \n')).toBe('suzume: conversation');
    expect(toThreadName('suzume', '\u200b\u2060 \ufe0f')).toBe('suzume: conversation');
  });

  it('cuts between two characters [TC-48]', () => {
    const family = '👨‍👩‍👧‍👦';
    expect(toThreadName('suzume', family.repeat(20))).toBe(`suzume: ${family.repeat(8)}`);
    expect(toThreadName('suzume', 'a'.repeat(200))).toBe(`suzume: ${'a'.repeat(92)}`);
  });

  it('is always a name that Discord takes [TC-48]', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const name = toThreadName('suzume', text);
        expect(name.length).toBeLessThanOrEqual(100);
        expect(name.length).toBeGreaterThan('suzume: '.length);
        expect(name.isWellFormed()).toBe(text.isWellFormed());
      }),
    );
  });
});
