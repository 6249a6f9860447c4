import type { Logger } from '@agent/text';
import type { Clock } from '../clock.ts';
import type { ReadConversation } from '../history/read-conversation.ts';
import type { IncomingMessage } from '../message/incoming-message.ts';
import type { ReplyModel } from '../model/reply-model.ts';
import type { Place, Surroundings } from '../place/place.ts';
import type { Texts } from '../texts/texts.en.ts';
import type { Semaphore } from './semaphore.ts';

/** Parts that answering needs. */
export interface AnswerParts {
  /** The account that answers. */
  readonly bot: { readonly id: string; readonly name: string };
  readonly model: ReplyModel;
  readonly readConversation: ReadConversation;
  /** Number of answers that are worked on at once. */
  readonly slots: Semaphore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Chooses the texts for the author of a message. */
  readonly textsFor: (message: IncomingMessage) => Texts;
  /** Tells whether answers are shown as they grow. */
  readonly stream: boolean;
  /** Tells whether lengths and hashes of texts are logged. */
  readonly debug: boolean;
}

/** A message that is to be answered. */
export interface Job {
  readonly message: IncomingMessage;
  readonly around: Surroundings;
}

/** The same once it is known where. */
export interface PlacedJob extends Job {
  readonly place: Place;
}

/** Two ways in which an answer ends early. */
export interface EndSignals {
  /** Nothing new begins, or the message was deleted before its turn. */
  readonly stopping: AbortSignal;
  /** Ends answers that are under way. */
  readonly ending: AbortSignal;
}
