import type { DeliveryReceipt } from './changes.ts';
import { type ComposedDelivery, shorterBodies } from './compose-delivery.ts';
import type { ContextSink } from './ports.ts';

export interface AppendOptions {
  readonly maxBodyChars: number;
  readonly compose: (maxBodyChars: number) => Promise<ComposedDelivery | null>;
  readonly onRefused: (error: unknown, maxBodyChars: number) => void;
}

/** The receipt of what the context took; null where there was nothing to take. */
export type AppendResult =
  | { readonly receipt: DeliveryReceipt | null }
  | { readonly receipt: undefined; readonly error: unknown };

/**
 * Appends a message, and what the context refuses once more with bodies of 2,000 and then of 500 characters.
 *
 * @see decision B10
 */
export async function appendShortened(sink: ContextSink, options: AppendOptions): Promise<AppendResult> {
  const { maxBodyChars, compose, onRefused } = options;
  let refusal: unknown;
  for (const chars of [maxBodyChars, ...shorterBodies]) {
    const message = await compose(chars);
    if (message === null) return { receipt: null };
    try {
      await sink.append({ role: 'user', content: message.text, receipt: message.receipt });
      return { receipt: message.receipt };
    } catch (error) {
      refusal = error;
      onRefused(error, chars);
    }
  }
  return { receipt: undefined, error: refusal };
}
