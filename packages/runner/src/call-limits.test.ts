import { describe, expect, it } from 'vitest';
import { withTimeout } from './call-limits.ts';

describe('withTimeout', () => {
  it.each([
    ['aborted before', { signal: AbortSignal.abort() }, 'aborted'],
    ['done', {}, 'done'],
  ])('leaves no timer behind work that was %s [RL-12]', async (_, options, kind) => {
    const waits = new Set<AbortSignal | undefined>();
    const sleep = (_milliseconds: number, { signal }: { readonly signal?: AbortSignal | undefined }) => {
      waits.add(signal);
      return new Promise<void>((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          waits.delete(signal);
          reject(signal.reason);
        });
      });
    };
    const result = await withTimeout(async () => 'worked', { timeoutMs: 60_000, sleep, ...options });
    expect(result.kind).toBe(kind);
    expect(waits.size).toBe(0);
  });
});
