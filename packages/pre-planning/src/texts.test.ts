import { expect, it } from 'vitest';
import { toPercent } from './texts.ts';

it.each([
  [0.666, 0.7, 67],
  [0.6949, 0.7, 69],
  [0.6999, 0.7, 69],
  [0.7, 0.7, 70],
  [0.4999, 0.5, 49],
  [0.704, 0.705, 70],
  [0.9999, 1, 99],
  [0.0001, 0.001, 0],
])('shows %d, of which %d would suffice, as %d% [E18]', (share, threshold, percent) => {
  expect(toPercent(share, { threshold })).toBe(percent);
});

it('rounds where nothing is compared [E18]', () => {
  expect([0.4999, 0.005, 1].map((share) => toPercent(share))).toEqual([50, 1, 100]);
});
