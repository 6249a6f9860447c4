import { describe, expect, it } from 'vitest';
import { createRememberedIds } from './remembered-ids.ts';

describe('createRememberedIds', () => {
  it('knows an id again, until so many others have come since it was last seen', () => {
    const ids = createRememberedIds({ capacity: 2 });
    expect(['a', 'b', 'a', 'c'].map(ids.add)).toEqual([true, true, false, true]);
    // b made way for c; a was seen after b.
    expect(['a', 'c', 'b', 'a'].map(ids.add)).toEqual([false, false, true, true]);
  });
});
