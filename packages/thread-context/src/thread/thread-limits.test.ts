import { describe, expect, it } from 'vitest';
import { toThreadLimits } from './thread-limits.ts';

describe('toThreadLimits', () => {
  it("has the seed's limits unless told otherwise [TC-40] [TC-41]", () => {
    expect(toThreadLimits({})).toEqual({ maxTurns: 200, maxChars: 20_000 });
    expect(toThreadLimits({ maxMessages: 1, maxTranscriptChars: 14 })).toEqual({ maxTurns: 1, maxChars: 14 });
  });

  it('ignores limits that make no sense, with a warning [X1]', () => {
    const warnings: string[] = [];
    const onWarning = (message: string) => warnings.push(message);
    expect(toThreadLimits({ maxMessages: 0, maxTranscriptChars: 13, onWarning })).toEqual(toThreadLimits({}));
    expect(toThreadLimits({ maxMessages: Number.NaN, maxTranscriptChars: 20.5 })).toEqual(toThreadLimits({}));
    expect(warnings).toEqual([
      'maxMessages must be a whole number from 1; got 0, using 200',
      'maxTranscriptChars must be a whole number from 14; got 13, using 20000',
    ]);
  });
});
