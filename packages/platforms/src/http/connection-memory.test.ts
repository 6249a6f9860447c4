import { describe, expect, it } from 'vitest';
import { createKnownLabels } from './connection-memory.ts';

describe('createKnownLabels', () => {
  it('asks once for a label that many need at the same time [NX-49]', async () => {
    const labels = createKnownLabels();
    let asked = 0;
    const make = async (): Promise<void> => {
      asked += 1;
      await Promise.resolve();
    };
    await Promise.all(Array.from({ length: 100 }, () => labels.ensure('acme/shop:processing', make)));
    await labels.ensure('acme/shop:processing', make);
    expect(asked).toBe(1);
    labels.forget('acme/shop:processing');
    await labels.ensure('acme/shop:processing', make);
    expect(asked).toBe(2);
  });

  it('lets the next one try when a question failed, and tells only who asked it', async () => {
    const labels = createKnownLabels();
    const log: string[] = [];
    const first = labels.ensure('a', async () => {
      log.push('first');
      throw new Error('aborted');
    });
    const second = labels.ensure('a', async () => void log.push('second'));
    const third = labels.ensure('a', async () => void log.push('third'));
    await expect(first).rejects.toThrow('aborted');
    await Promise.all([second, third]);
    expect(log).toEqual(['first', 'second']);
  });
});
