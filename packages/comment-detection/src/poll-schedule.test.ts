import { expect, it } from 'vitest';
import { retryAfterOf } from './thread-watcher.ts';

it('the time that an error asks to wait is taken as it is, none included', () => {
  for (const retryAfterMs of [0, 1, 90_000]) expect(retryAfterOf({ retryAfterMs })).toBe(retryAfterMs);
});

it('an error that asks for no time, or for one that no clock shows, says nothing', () => {
  for (const retryAfterMs of [-1, Number.NaN, Number.POSITIVE_INFINITY, '5', null, undefined])
    expect(retryAfterOf({ retryAfterMs })).toBeNull();
  for (const error of [null, undefined, 'text', new Error('no')]) expect(retryAfterOf(error)).toBeNull();
});
