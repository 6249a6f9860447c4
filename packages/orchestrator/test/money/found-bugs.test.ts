// @module-tag release
import { playBugApart } from '@agent/simulators/trials';
import { describe, expect, it } from 'vitest';
import { trials } from './trials.ts';

describe('the judge of the households', () => {
  it.each(trials.bugs)('finds the seeded bug $name', { timeout: 1_200_000 }, async ({ name }) => {
    const { isFound, told } = await playBugApart({ name: 'money', kind: trials }, name);
    expect(isFound, told).toBe(true);
  });
});
