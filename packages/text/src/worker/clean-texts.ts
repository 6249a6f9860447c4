import { type CleanedText, cleanUntrustedText } from '../clean/clean-untrusted-text.ts';
import type { TextBatch } from './text-worker.ts';

/** Cleans the texts of a batch one after the other, and says how far it is. Runs in the worker. */
export default function cleanTexts({ texts, begun }: TextBatch): readonly CleanedText[] {
  return texts.map(({ text, maxChars }, index) => {
    Atomics.store(begun, 0, index + 1);
    return cleanUntrustedText(text, { maxChars });
  });
}
