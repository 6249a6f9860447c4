import { describe, expect, it } from 'vitest';
import { measureClean, measureWithin } from './measure-clean.ts';

describe('measureClean', () => {
  it('cleans once before the rounds that count', async () => {
    const seen: string[] = [];
    const time = await measureClean('a', (text) => seen.push(text), 3);
    expect(seen).toEqual(['a', 'a', 'a', 'a']);
    expect(time.byClock).toBeGreaterThanOrEqual(0);
  });
});

describe('measureWithin', () => {
  it('stops what takes too long, also within an expression', () => {
    const slow = (text: string) => /^(?:a+)+$/.test(text);
    expect(measureWithin(`${'a'.repeat(60)}b`, slow, 20)).toBeNull();
    expect(measureWithin('a', slow, 5_000)).not.toBeNull();
  });

  it('lets other errors through', () => {
    const fail = () => {
      throw new TypeError('broken');
    };
    expect(() => measureWithin('a', fail, 1_000)).toThrow('broken');
  });
});
