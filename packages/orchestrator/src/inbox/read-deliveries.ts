import type { DeliveryReceipt } from '@agent/comment-detection';
import type { JournalledDelivery } from './run-inbox.ts';

/** An entry of a journal, as far as deliveries go. */
export type DeliveringEntry =
  | { readonly type: 'summary' | 'tool' }
  | ({
      readonly type: 'message';
      readonly seq: number;
      /** How many messages open the conversation, on the first of them. */
      readonly opens?: number | undefined;
    } & DeliveryReceipt);

/** Every delivery that a journal holds, in its order. */
export async function readDeliveries(
  entries: AsyncIterable<DeliveringEntry>,
): Promise<readonly JournalledDelivery[]> {
  const deliveries: JournalledDelivery[] = [];
  let openUntil = 0;
  for await (const entry of entries) {
    if (entry.type !== 'message') continue;
    if (entry.opens !== undefined) openUntil = entry.seq + entry.opens;
    const { delivers } = entry;
    if (delivers.length > 0) deliveries.push({ delivers, opening: entry.seq < openUntil });
  }
  return deliveries;
}
