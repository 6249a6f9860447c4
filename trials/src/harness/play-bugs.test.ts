import { expect, it } from 'vitest';
import { formatPlays } from './play-bugs.ts';

it('a table of seeded bugs shows after how many trials each was found, and their mean [NX-109]', () => {
  const rows = [
    { name: 'one', plays: 1 },
    { name: 'another', plays: 4 },
    { name: 'hidden', plays: null },
  ];
  expect(formatPlays(rows)).toMatchInlineSnapshot(`
    "  seeded bug  trials until found
      one         1
      another     4
      hidden      not found, or not played here
      mean        2.5"
  `);
});
