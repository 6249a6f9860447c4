import { expect, it } from 'vitest';
import { toCollectedData } from './information-collector.ts';

it.each([
  [19, 0],
  [20, 0],
  [21, 1],
])(
  'of %d characters where 20 are kept, saves the whole elsewhere: %d time(s) [E15]',
  async (length, times) => {
    const saved: string[] = [];
    const details = { save: async (id: string, text: string) => void saved.push(`${id} ${text.length}`) };
    const output = 'x'.repeat(length);
    const data = await toCollectedData('a', output, { maxDetailChars: 20, details, logger: null });
    expect(saved).toEqual(Array.from({ length: times }, () => `a ${length}`));
    expect(data.details === output).toBe(times === 0);
  },
);
