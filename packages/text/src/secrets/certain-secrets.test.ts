import { expect, it } from 'vitest';
import { findCertainSecrets } from './index.ts';

// Put together here, so that scanners of this repository find nothing.
const named = (value: string) => `password=${value}`;
const mixed = 'Kd82hfQ9sk29dkfQ1Zx7';
const hexadecimal = '0f1e2d3c4b5a69788796a5b4c3d2e1f0';

it.each([
  ['long and drawn from letters and digits', mixed],
  ['of 32 hexadecimal digits', hexadecimal],
  ['of six signs alike', `${mixed}LLLLLL`],
])('a value with a name is certain: %s [NX-40]', async (_, value) => {
  expect(await findCertainSecrets(named(value))).toEqual([
    { kind: 'password', start: 9, end: 9 + value.length },
  ]);
});

it.each([
  ['short', 'Hunter22'],
  ['a sign short of twenty', mixed.slice(1)],
  ['long, and of one kind of letters', 'onlylettersinlowercase'],
  ['of 31 hexadecimal digits', hexadecimal.slice(1)],
  ['of seven signs alike', `${mixed}LLLLLLL`],
])('a value with a name is not certain: %s [NX-40]', async (_, value) => {
  expect(await findCertainSecrets(named(value))).toEqual([]);
});

it('takes for an example what begins with seven signs alike [NX-40]', async () => {
  expect(await findCertainSecrets(named(`LLLLLLL${mixed}`))).toEqual([]);
});

it('names the longer one of two that begin together [NX-40]', async () => {
  const value = ['gh', 'p_', mixed, mixed, '/', mixed].join('');
  expect(await findCertainSecrets(named(value))).toMatchObject([{ start: 9, end: 9 + value.length }]);
});
