import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fenceText, fenceValue, toPercent } from './format-values.ts';

const anyText = fc.string({
  unit: fc.constantFrom('`', '\n```', '\n````\n', '~', '\n', '\r', ' ', 'a', '#', '-', '> '),
  maxLength: 60,
});

describe('inherited text between fences', () => {
  it('cannot close its block', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const lines = fenceText(text).split('\n');
        const fence = /^`+/.exec(lines[0] ?? '')?.[0] ?? '';
        const closing = lines.slice(1).findIndex((line) => new RegExp(`^\\s*${fence}`).test(line));
        expect(closing).toBe(lines.length - 2);
        expect(fenceText(text)).not.toContain('\r');
      }),
    );
  });

  it('cannot close its span, and stays on its line', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const span = fenceValue(text);
        const fence = /^`+/.exec(span)?.[0] ?? '';
        expect(span).not.toContain('\n');
        const inner = span.slice(fence.length, -fence.length);
        if (/[^`]/.test(inner)) expect(inner.split(/[^`]+/)).not.toContain(fence);
      }),
    );
  });

  it('is as it was', () => {
    expect(fenceText('a\n```\nb')).toBe('````inherited-data\na\n```\nb\n````');
    expect(fenceValue('a `b`\nc')).toBe('`` a `b` c ``');
  });
});

it('the completion of a plan is executed of total, rounded, and 0 where nothing was planned [C17]', () => {
  const counts = [
    [1, 3, 33],
    [2, 3, 67],
    [1, 200, 1],
    [4, 4, 100],
    [0, 7, 0],
    [0, 0, 0],
  ] as const;
  for (const [executed, total, percent] of counts) expect(toPercent(executed, total)).toBe(percent);
});
