import { isSameAccount } from '@agent/platforms';
import { toReviewRequestIntent } from '../intents/intents.ts';
import type { Run } from '../run/run.ts';

/** Wants a review of a draft that the run opened, by the person who asked for the task; the entry is executed when the run rests. */
export async function wantReview({ facts, thread, outbox }: Run, number: number): Promise<void> {
  const account = facts.handover?.by ?? null;
  if (account?.kind !== 'person' || thread.ports.changeRequests?.requestReview === undefined) return;
  const own = await thread.platform.platform.identity.whoAmI();
  if (!isSameAccount(account, own)) await outbox.open(toReviewRequestIntent({ number, account }));
}
