import { expect, it } from 'vitest';
import { fitWithoutSecrets } from './information-collector.ts';

const secret = 'hunter2-and-more';
const hideKnownSecrets = (text: string) => text.replaceAll(secret, '[REDACTED]');

it('takes secrets out before it cuts, so that no half of one stays', () => {
  for (let before = 480; before < 510; before += 1) {
    const text = `${'x'.repeat(before)}${secret}${'y'.repeat(100)}`;
    expect(fitWithoutSecrets(text, { hideKnownSecrets, maxChars: 500 })).not.toContain('hunt');
  }
});

it('looks at a bounded part of what is far too long, and keeps nothing next to where that ends', () => {
  const looked: number[] = [];
  const watch = (text: string) => {
    looked.push(text.length);
    return hideKnownSecrets(text);
  };
  for (let before = 32_480; before < 32_530; before += 1) {
    const text = `${secret.repeat(10)}${'x'.repeat(before - 160)}${secret}${'y'.repeat(10_000_000)}`;
    const kept = fitWithoutSecrets(text, { hideKnownSecrets: watch, maxChars: 500 });
    expect(kept).toHaveLength(500);
    expect(kept).not.toContain('hunt');
  }
  expect(Math.max(...looked)).toBeLessThan(70_000);
});

it('does not let what shrank pull in the half that was cut', () => {
  const takeOut = (text: string) => text.replaceAll(secret, '');
  const text = `${secret.repeat(2_030)}${'x'.repeat(10)}${secret}${'y'.repeat(100_000)}`;
  expect(takeOut(text.slice(0, 32_500))).toContain('hunt');
  expect(fitWithoutSecrets(text, { hideKnownSecrets: takeOut, maxChars: 500 })).not.toContain('hunt');
});
