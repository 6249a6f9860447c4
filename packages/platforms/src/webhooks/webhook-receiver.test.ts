import { describe, expect, it } from 'vitest';
import { createRememberedIds } from './webhook-receiver.ts';

describe('createRememberedIds', () => {
  it('knows an id again while fewer than so many others have come since', () => {
    const ids = createRememberedIds({ capacity: 3 });
    expect(['a', 'b', 'a', 'c', 'd', 'a'].map(ids.add)).toEqual([true, true, false, true, true, false]);
  });

  it('forgets what twice as many others have followed', () => {
    const ids = createRememberedIds({ capacity: 3 });
    ids.add('a');
    for (let number = 0; number < 6; number += 1) ids.add(String(number));
    expect(ids.add('5')).toBe(false);
    expect(ids.add('a')).toBe(true);
  });
});
