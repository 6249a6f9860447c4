import { describe, expect, it } from 'vitest';
import { createKeyedTurns, createTurns, untilAborted, withinTimeLimit } from './waiting.ts';

const never = new Promise<never>(() => undefined);
const tooLong = () => new Error('too long');

describe('withinTimeLimit', () => {
  it('rejects and aborts the signal of the work when the time is over', async () => {
    let given: AbortSignal | undefined;
    const work = (signal: AbortSignal) => {
      given = signal;
      return never;
    };
    await expect(withinTimeLimit(work, { timeoutMs: 1, tooLong, sleep: async () => {} })).rejects.toThrow(
      'too long',
    );
    expect(given?.aborted).toBe(true);
  });

  it("rejects with the reason of the caller's signal, and resolves with the result of work in time", async () => {
    const sleep = () => never;
    const ending = new AbortController();
    const waiting = withinTimeLimit(() => never, { timeoutMs: 1, signal: ending.signal, tooLong, sleep });
    ending.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await expect(withinTimeLimit(() => 3, { timeoutMs: 1, tooLong, sleep })).resolves.toBe(3);
  });
});

describe('untilAborted', () => {
  it('leaves shared work to other callers when one of them is aborted', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const ending = new AbortController();
    const [left, stays] = [untilAborted(promise, ending.signal), untilAborted(promise, undefined)];
    ending.abort(new Error('stopped'));
    await expect(left).rejects.toThrow('stopped');
    await expect(untilAborted(promise, ending.signal)).rejects.toThrow('stopped');
    resolve('done');
    await expect(stays).resolves.toBe('done');
  });
});

describe('createTurns', () => {
  it('runs work in the order of the calls, also after work that failed', async () => {
    const inTurn = createTurns();
    const log: string[] = [];
    const first = inTurn(async () => {
      await null;
      log.push('first');
      throw new Error('failed');
    });
    const second = inTurn(async () => log.push('second'));
    await expect(first).rejects.toThrow('failed');
    await second;
    expect(log).toEqual(['first', 'second']);
  });
});

describe('createKeyedTurns', () => {
  it('lets work on one key wait for work on the same key alone', async () => {
    const inTurnOf = createKeyedTurns();
    const { promise, reject } = Promise.withResolvers<never>();
    const log: string[] = [];
    const first = inTurnOf('a', () => promise);
    const second = inTurnOf('a', async () => log.push('a'));
    await inTurnOf('b', async () => log.push('b'));
    reject(new Error('failed'));
    await expect(first).rejects.toThrow('failed');
    await second;
    expect(log).toEqual(['b', 'a']);
  });
});
