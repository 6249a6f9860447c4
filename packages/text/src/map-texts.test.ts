import { expect, it } from 'vitest';
import { mapTexts } from './map-texts.ts';

it('changes the texts of a value, and neither its keys nor anything else', () => {
  const value = { a: 'x', list: ['x', 7, null, [{ x: 'x', flag: true }]] };
  const before = structuredClone(value);
  expect(mapTexts(value, (text) => `${text}!`)).toEqual({
    a: 'x!',
    list: ['x!', 7, null, [{ x: 'x!', flag: true }]],
  });
  expect(value).toEqual(before);
  expect(mapTexts('x', (text) => `${text}!`)).toBe('x!');
});
