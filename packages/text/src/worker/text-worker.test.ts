import { once } from 'node:events';
import { BroadcastChannel } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { cleanUntrustedText } from '../clean/clean-untrusted-text.ts';
import { createTextWorker, type TextWorker, type TextWorkerOptions } from './text-worker.ts';

const slow = new URL('../../test/slow-texts.ts', import.meta.url);
let worker: TextWorker | null = null;
afterEach(async () => {
  await worker?.close();
  worker = null;
});

function start(options: TextWorkerOptions = {}): TextWorker {
  worker = createTextWorker({ inlineChars: 0, ...options });
  return worker;
}

/** Deadlines that pass when the test says so. */
function openDeadlines() {
  const open = new Set<AbortController>();
  const timeoutSignal = (): AbortSignal => {
    const deadline = new AbortController();
    open.add(deadline);
    return deadline.signal;
  };
  const pass = (): void => {
    for (const deadline of open) deadline.abort();
    open.clear();
  };
  // At the first it is seen that a text was begun, at the second that it has not ended.
  const passTwice = (): void => {
    pass();
    setImmediate(pass);
  };
  return { timeoutSignal, passTwice };
}

describe('createTextWorker', () => {
  it('cleans as the function does, in the order in which it is asked', async () => {
    const { clean } = start();
    const texts = ['a<!-- b -->c', '', 'x'.repeat(300), '<!-- y -->'];
    expect(await Promise.all(texts.map((text) => clean(text)))).toEqual(
      texts.map((text) => cleanUntrustedText(text)),
    );
    expect(await clean('abcdef', { maxChars: 3 })).toMatchObject({ text: 'abc' });
  });

  it('cleans what is short at once, to the same end', async () => {
    const { clean } = start({ inlineChars: 512, module: slow });
    expect(await clean('a<!-- b -->c')).toMatchObject({ text: 'ac' });
  });

  it('gives up a text that takes too long, once, and cleans the others of its batch [NX-18]', async () => {
    const { timeoutSignal, passTwice } = openDeadlines();
    const channel = new BroadcastChannel('slow-texts');
    let stuck = 0;
    channel.onmessage = () => {
      stuck += 1;
      passTwice();
    };
    const { clean } = start({ module: slow, timeoutSignal });
    const texts = ['one', 'SLOW', 'two'];
    const cleaned = await Promise.all(texts.map((text) => clean(text)));
    expect(cleaned.map((one) => one?.text ?? null)).toEqual(['ONE', null, 'TWO']);
    expect(await clean('SLOW')).toBeNull();
    expect(stuck).toBe(1);
    channel.close();
  });

  it('leaves the main thread free while a text holds the worker [NX-18]', async () => {
    const { timeoutSignal, passTwice } = openDeadlines();
    const channel = new BroadcastChannel('slow-texts');
    const isStuck = once(channel, 'message');
    const { clean } = start({ module: slow, timeoutSignal });
    const cleaning = clean('SLOW');
    await isStuck;
    let turns = 0;
    while (turns < 100) turns += await new Promise<number>((resolve) => setImmediate(() => resolve(1)));
    passTwice();
    expect(await cleaning).toBeNull();
    channel.close();
  });

  it('takes a text that breaks the cleaner for one that cannot be cleaned', async () => {
    const { clean } = start({ module: slow });
    const cleaned = await Promise.all(['one', 'THROW', 'two'].map((text) => clean(text)));
    expect(cleaned.map((one) => one?.text ?? null)).toEqual(['ONE', null, 'TWO']);
  });

  it('rejects where it cannot start, which is no text without anything in it', async () => {
    const { clean } = start({ module: new URL('./there-is-none.ts', import.meta.url) });
    await expect(clean('text')).rejects.toThrow('The worker that cleans texts did not start.');
  });
});
