import type { IncomingMessage } from '../message/incoming-message.ts';
import type { Place } from '../place/place.ts';
import type { Surroundings } from '../place/surroundings.ts';

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
  /** What is under way breaks off. */
  readonly ending: AbortSignal;
}
