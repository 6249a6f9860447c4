import { expect, it } from 'vitest';
import { formatPlays } from './format-plays.ts';

it('a table of plants says after how many trials each was found, and the mean of these [NX-109]', () => {
  const rows = [
    { name: 'one', plays: 1 },
    { name: 'another', plays: 4 },
    { name: 'hidden', plays: null },
  ];
  expect(formatPlays(rows)).toMatchInlineSnapshot(`
    "  plant    trials until found
      one      1
      another  4
      hidden   not found, or not played here
      mean     2.5"
  `);
});
