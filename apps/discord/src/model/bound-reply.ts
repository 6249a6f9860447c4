import { cutAtGrapheme } from '@agent/text';
import type { ReplyModel } from './reply-model.ts';

/**
 * The same model with answers of so many UTF-16 units at most. One that is longer is cut, and not complete; one that
 * is heard as it grows is not waited for any longer.
 */
export function boundReply(model: ReplyModel, { maxChars }: { readonly maxChars: number }): ReplyModel {
  return {
    reply: async (request, { signal, onText }) => {
      const full = new AbortController();
      const kept = { text: '' };
      const hear = (textSoFar: string): void => {
        if (full.signal.aborted) return;
        kept.text = cutAtGrapheme(textSoFar, maxChars);
        onText?.(kept.text);
        if (textSoFar.length > maxChars) full.abort();
      };
      try {
        const both = AbortSignal.any([signal, full.signal]);
        const { text, complete } = await model.reply(request, { signal: both, onText: onText && hear });
        return { text: cutAtGrapheme(text, maxChars), complete: complete && text.length <= maxChars };
      } catch (error) {
        if (signal.aborted || !full.signal.aborted) throw error;
        return { text: kept.text, complete: false };
      }
    },
  };
}
