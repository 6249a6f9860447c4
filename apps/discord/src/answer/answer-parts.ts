import type { Logger } from '@agent/text';
import type { Clock } from '../clock.ts';
import type { ReadConversation } from '../history/read-conversation.ts';
import type { IncomingMessage } from '../message/incoming-message.ts';
import type { ReplyModel } from '../model/reply-model.ts';
import type { Texts } from '../texts/texts.ts';
import type { Slots } from './slots.ts';

/** What it takes to answer. */
export interface AnswerParts {
  /** The account that answers. */
  readonly bot: { readonly id: string; readonly name: string };
  readonly model: ReplyModel;
  readonly readConversation: ReadConversation;
  /** How many answers are worked on at once. */
  readonly slots: Slots;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What to say to the author of a message. */
  readonly textsFor: (message: IncomingMessage) => Texts;
  /** Whether answers are shown as they grow. */
  readonly stream: boolean;
  /** Whether lengths and hashes of texts are logged. */
  readonly debug: boolean;
}
