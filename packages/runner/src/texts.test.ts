import { describe, expect, it } from 'vitest';
import { en } from './texts.en.ts';
import { ja } from './texts.ja.ts';

const name = 'limits.max_duration_minutes';
const timeout = { kind: 'timeout', status: null, detail: null } as const;

describe('the times in the texts for threads', () => {
  it('are in minutes for the limit of a run, as it is configured, and in seconds below one', () => {
    const limitOf = (value: number): string => en.limitReached({ kind: 'maxDurationMs', name, value });
    expect(limitOf(7_200_000)).toContain('its limit of 120 minutes before');
    expect(limitOf(90_000)).toContain('its limit of 1.5 minutes before');
    expect(limitOf(60_000)).toContain('its limit of 1 minute before');
    expect(limitOf(1_000)).toContain('its limit of 1 second before');
    expect(ja.limitReached({ kind: 'maxDurationMs', name, value: 7_200_000 })).toContain('120分');
    expect(ja.limitReached({ kind: 'maxDurationMs', name, value: 600 })).toContain('0.6秒');
  });

  it('are in seconds for one call, and never round to none', () => {
    expect(en.modelFailed({ ...timeout, timeoutMs: 600_000 })).toContain('within 600 seconds.');
    expect(en.modelFailed({ ...timeout, timeoutMs: 200 })).toContain('within 0.2 seconds.');
    expect(ja.modelFailed({ ...timeout, timeoutMs: 200 })).toContain('0.2秒');
  });
});
