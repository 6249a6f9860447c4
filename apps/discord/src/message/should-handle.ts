import { isVisible } from '../text/is-visible.ts';
import type { IncomingMessage } from './incoming-message.ts';

/**
 * Whether a message is for the bot. In its own threads and in direct messages every text of a person is, elsewhere
 * it takes a mention by `<@id>`: `@everyone`, a role and a reply are none.
 *
 * @see seed 003 §2.1, decisions D11 and D12
 */
export function shouldHandle(message: IncomingMessage, botUserId: string): boolean {
  if (message.authorId === botUserId || message.authorIsBot || message.isSystem) return false;
  if (message.mentionsBot) return true;
  // A picture or a sticker alone asks nothing that could be read.
  if (!isVisible(message.content)) return false;
  const { where } = message;
  return where.kind === 'direct' || (where.kind === 'thread' && where.ownerId === botUserId);
}
