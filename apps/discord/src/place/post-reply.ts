import type { Place } from './place.ts';
import { splitReply } from './split-reply.ts';

/**
 * Posts an answer, in as many messages as it takes, one after the other.
 *
 * @throws BotError what was posted before stays
 */
export async function postReply(place: Pick<Place, 'send'>, text: string): Promise<void> {
  for (const part of splitReply(text)) await place.send(part);
}
