import { describe, expect, it } from 'vitest';
import { parseStat } from './processor-time.ts';

describe('processor time', () => {
  it('is read behind a name that looks like fields, with the time of ended children', () => {
    const stat = '17 (a) b) S 5 17 17 0 -1 4194560 100 200 0 0 3 4 50 60 20 0 1 0 99 0 0';
    expect(parseStat(stat)).toEqual({ parent: 5, usedMs: 1_170 });
  });
});
