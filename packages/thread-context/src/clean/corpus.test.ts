import { describe, expect, it } from 'vitest';
import attacks from '../../test/corpus/attacks.json' with { type: 'json' };
import legitimate from '../../test/corpus/legitimate.json' with { type: 'json' };
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
  it.each(legitimate)('leaves a text alone: $script $text [NX-5]', ({ text }) => {
    expect(cleanUntrustedText(text)).toEqual({ text, removed: [] });
  });

  it('knows enough of them, in at least ten scripts [NX-5]', () => {
    expect(legitimate.length).toBeGreaterThanOrEqual(100);
    expect(new Set(legitimate.map(({ script }) => script)).size).toBeGreaterThanOrEqual(10);
    expect(new Set(legitimate.map(({ text }) => text)).size).toBe(legitimate.length);
  });
});
