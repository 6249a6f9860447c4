import { expect, it } from 'vitest';
import { measureEstimate } from './measure-estimate.ts';

it('compares an estimate with a count in chunks of 2,000 characters', () => {
  const text = `${'a'.repeat(2_000)}${'b'.repeat(2_000)}left over`;
  const count = (chunk: string) => (chunk.startsWith('a') ? 400 : 600);
  const figures = measureEstimate({ name: 'code', text }, { estimate: () => 500, count });
  expect(figures).toMatchObject({ charactersPerToken: 4, total: 0, ninetyFifth: 0.25 });
  expect(figures.lowest).toBeCloseTo(-1 / 6);
});
