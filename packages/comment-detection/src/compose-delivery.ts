import type { CommentChange, DeliveryReceipt } from './changes.ts';
import { formatChangesMessage } from './format-changes-message.ts';
import type { CommentMessageOptions } from './message-options.ts';
import type { Authority, Comment } from './model.ts';

/** A message that tells the model of changes, and what it delivers. */
export interface ComposedDelivery {
  readonly text: string;
  readonly receipt: DeliveryReceipt;
  /** Whether somebody who may steer the agent said any of it. */
  readonly fromTrusted: boolean;
}

/** To how many characters bodies are cut when a message does not fit. @see decision B10 */
export const shorterBodies: readonly number[] = [2000, 500];

/** Who said it, for every comment of the changes. */
export type Authorities = ReadonlyMap<string, Authority>;

export interface ComposeOptions extends Pick<CommentMessageOptions, 'prepareBody'> {
  readonly authorities: Authorities;
  readonly maxBodyChars: number;
  /** Bodies are shortened step by step until the message is no longer than this. */
  readonly maxMessageChars: number;
}

/** All changes in one message, with bodies as long as the message allows. */
export function composeDelivery(
  changes: readonly CommentChange[],
  { authorities, maxBodyChars, maxMessageChars, prepareBody }: ComposeOptions,
): ComposedDelivery {
  const authorityOf = ({ id }: Comment) => authorities.get(id) ?? 'untrusted';
  const format = (chars: number) =>
    formatChangesMessage(changes, {
      prepareBody,
      authorityOf,
      maxBodyChars: Math.min(chars, maxBodyChars),
    });
  let text = format(maxBodyChars);
  for (const chars of shorterBodies) {
    if (text.length <= maxMessageChars) break;
    text = format(chars);
  }
  const delivers = changes.map(({ kind, revision, comment: { id } }) => ({ id, revision, kind }));
  const fromTrusted = changes.some(({ comment }) => authorityOf(comment) === 'trusted');
  return { text, receipt: { delivers }, fromTrusted };
}
