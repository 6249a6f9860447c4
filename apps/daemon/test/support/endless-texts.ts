import { BroadcastChannel } from 'node:worker_threads';
import { cleanUntrustedText } from '@agent/text';
import type { TextBatch } from '@agent/text/worker';

/** A cleaner that a text with the word ENDLESS holds for ever, which it tells on the channel `endless-texts`. */
export default function cleanEndlessly({ texts, begun }: TextBatch) {
  return texts.map(({ text, maxChars }, index) => {
    Atomics.store(begun, 0, index + 1);
    if (text.includes('ENDLESS')) {
      new BroadcastChannel('endless-texts').postMessage(null);
      for (;;);
    }
    return cleanUntrustedText(text, { maxChars });
  });
}
