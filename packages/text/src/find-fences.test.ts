import { describe, expect, it } from 'vitest';
import { findFences } from './find-fences.ts';

const fencesOf = (text: string) => findFences(text).map(({ start, end }) => text.slice(start, end));

describe('findFences', () => {
  it('finds fenced blocks whole, from the line that opens them to the one that closes them', () => {
    expect(fencesOf('a\n```js\none\n\ntwo\n```\nb\n~~~~\n```\n~~~~')).toEqual([
      '```js\none\n\ntwo\n```',
      '~~~~\n```\n~~~~',
    ]);
    expect(fencesOf('```\n```\nb')).toEqual(['```\n```']);
  });

  it('finds them with any line ending, in quotes and in lists', () => {
    expect(fencesOf('a\r\n```\r\none\r\n```\r\nb')).toEqual(['```\r\none\r\n```']);
    expect(fencesOf('> ```\n> one\n> ```\nb')).toEqual(['> ```\n> one\n> ```']);
    expect(fencesOf('- a\n  ```\n  one\n  ```\n- b')).toEqual(['  ```\n  one\n  ```']);
  });

  it('takes one that nothing closes as far as it goes, and none where there is no fence', () => {
    expect(fencesOf('a\n```\none\n\ntwo')).toEqual(['```\none\n\ntwo']);
    expect(fencesOf('- ```\n  one\n> ```\n> two')).toEqual(['- ```\n  one', '> ```\n> two']);
    expect(fencesOf('use `a` or ```b``` there\n    indented')).toEqual([]);
  });
});
