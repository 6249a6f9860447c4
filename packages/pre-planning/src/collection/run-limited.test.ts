import { expect, it } from 'vitest';
import { runLimited } from './information-collector.ts';

it('begins no more items after one failed, and lets those end that have begun', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = async (item: number) => {
    begun.push(item);
    if (item === 2) throw new Error('disk full');
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    ended.push(item);
    return 'go' as const;
  };
  await expect(runLimited([1, 2, 3, 4, 5, 6], 2, work)).rejects.toThrow('disk full');
  expect([begun, ended]).toEqual([[1, 2], [1]]);
});

it('begins no more items after one was interrupted', async () => {
  const begun: number[] = [];
  const work = async (item: number) => {
    begun.push(item);
    return item === 2 ? ('interrupt' as const) : ('go' as const);
  };
  expect(await runLimited([1, 2, 3, 4], 1, work)).toBe('interrupt');
  expect(begun).toEqual([1, 2]);
});
