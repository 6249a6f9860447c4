import { expect, it } from 'vitest';
import { toConfidence } from './lenient.ts';

it.each([
  '1 of 3 sources',
  '1 open question',
  '3 things are open',
  '12 files',
  '30 files were read',
  '0 problems',
  '1,000 files',
  '1.000 files',
  'see note (2)',
  'none of it (1)',
  'version 0.8',
  '0.8.1 of the library',
  '3/2 of the files',
  '200% sure',
  '0x1',
])('reads no confidence out of %j, which counts or names something [PP-11]', (written) => {
  expect(toConfidence(written)).toBe(0);
});

it.each([
  ['1e-1', 0.1],
  ['8.5E1', 0.85],
  ['+0.5', 0.5],
  ['1', 1],
  ['1.', 1],
  ['~80', 0.8],
  ['0,855', 0.855],
  ['85,5 %', 0.855],
  ['about 0.8', 0.8],
  ['1.0 (certain)', 1],
  ['0.8, as one file says so', 0.8],
  ['0.8.', 0.8],
  ['2/4 sources agree', 0.5],
  ['100% sure', 1],
  ['high (9/10)', 0.9],
  ['high (90 %)', 0.9],
])('reads %j as %d [PP-11]', (written, confidence) => {
  expect(toConfidence(written)).toBeCloseTo(confidence);
});
