import { describe, expect, it } from 'vitest';
import { createSemaphore } from './create-octokit.ts';

describe('createSemaphore', () => {
  it('has so many pieces of work under way at once, begun in the order they came in', async () => {
    const turns = createSemaphore(2);
    const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
    const begun: number[] = [];
    const done = gates.map((gate, index) =>
      turns(async () => {
        begun.push(index);
        await gate.promise;
        return index;
      }),
    );
    expect(begun).toEqual([0, 1]);
    gates[1]?.resolve();
    await done[1];
    await Promise.resolve();
    expect(begun).toEqual([0, 1, 2]);
    for (const gate of gates) gate.resolve();
    expect(await Promise.all(done)).toEqual([0, 1, 2, 3, 4]);
  });

  it('gives the place of what failed to the next', async () => {
    const turns = createSemaphore(1);
    const failing = turns(() => Promise.reject(new Error('broken')));
    const next = turns(async () => 'done');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('done');
    expect(await turns(async () => 'again')).toBe('again');
  });
});
