import { BroadcastChannel } from 'node:worker_threads';
import type { TextBatch } from '../src/worker/text-worker.ts';

/** Stands in for a cleaner that some text makes endless: it tells on the channel `slow-texts` that it is there. */
export default function cleanSlowly({ texts, begun }: TextBatch) {
  return texts.map(({ text }, index) => {
    Atomics.store(begun, 0, index + 1);
    if (text.includes('THROW')) throw new RangeError('too much');
    if (text.includes('SLOW')) {
      new BroadcastChannel('slow-texts').postMessage(text);
      for (;;);
    }
    return { text: text.toUpperCase(), removed: [] };
  });
}
