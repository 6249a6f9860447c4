import { describe, expect, it } from 'vitest';
import attacks from '../../test/corpus/attacks.json' with { type: 'json' };
import legitimate from '../../test/corpus/legitimate.json' with { type: 'json' };
import { toShownText } from '../../test/shown-text.ts';
import { cleanUntrustedText } from './clean-untrusted-text.ts';

describe('cleanUntrustedText on attacks', () => {
  it.each(attacks)('takes out and reports $name [NX-5]', ({ kind, text, hidden, shown }) => {
    const { text: cleaned, removed } = cleanUntrustedText(text);
    for (const payload of hidden) {
      expect(text).toContain(payload);
      expect(cleaned).not.toContain(payload);
    }
    for (const part of shown) expect(cleaned).toContain(part);
    expect(removed.map((removal) => removal.kind)).toContain(kind);
  });

  it('knows enough of them [NX-5]', () => {
    expect(attacks.length).toBeGreaterThanOrEqual(60);
    expect(new Set(attacks.map(({ text }) => text)).size).toBe(attacks.length);
  });
});

describe('cleanUntrustedText on honest texts', () => {
  it.each(legitimate)(
    'leaves a text alone, but for what does nothing where it stands: $script $text [NX-5, NX-14]',
    ({ text }) => {
      const { text: cleaned, removed } = cleanUntrustedText(text);
      expect(toShownText(cleaned)).toBe(toShownText(text));
      if (removed.length > 0) expect(removed).toEqual([expect.objectContaining({ kind: 'zero-width' })]);
      else expect(cleaned).toBe(text);
    },
  );

  it('changes hardly any of them at all [NX-5]', () => {
    expect(legitimate.filter(({ text }) => cleanUntrustedText(text).text !== text).length).toBeLessThan(10);
  });

  it('knows enough of them, in at least ten scripts [NX-5]', () => {
    expect(legitimate.length).toBeGreaterThanOrEqual(100);
    expect(new Set(legitimate.map(({ script }) => script)).size).toBeGreaterThanOrEqual(10);
    expect(new Set(legitimate.map(({ text }) => text)).size).toBe(legitimate.length);
  });
});
