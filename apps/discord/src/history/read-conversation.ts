import {
  type ChatTurn,
  ThreadContextBuilder,
  type ThreadContextOptions,
  type ThreadMessage,
  type ThreadReader,
  TranscriptFormatter,
} from '@agent/thread-context';
import type { IncomingMessage } from '../message/incoming-message.ts';
import type { Place } from '../place/place.ts';
import { toAnsweringView } from './answering-view.ts';
import { sinceLastNew } from './begin-anew.ts';
import { isNotice } from './notice-marker.ts';

/** What was said, up to the message that is to be answered. */
export interface Conversation {
  readonly turns: readonly ChatTurn[];
  /** The same as text. */
  readonly transcript: string;
  /** Why it is not all there; null when it is. */
  readonly error: unknown;
}

export interface ReadConversationOptions {
  /** What is to be answered. */
  readonly message: IncomingMessage;
  readonly signal: AbortSignal;
}

/** Reads a conversation. Never rejects for what Discord does. */
export type ReadConversation = (
  place: Pick<Place, 'id' | 'history'>,
  options: ReadConversationOptions,
) => Promise<Conversation>;

/** Reads each conversation anew, from wherever its place reads. @see decisions D7, D8 and D13 */
export function createConversationReader(options: ThreadContextOptions, botUserId: string): ReadConversation {
  const ignore = ({ authorId, content }: ThreadMessage): boolean =>
    authorId === botUserId && isNotice(content);
  const builder = new ThreadContextBuilder({ ...options, ignore });
  const formatter = new TranscriptFormatter();
  return async (place, { message, signal }) => {
    const trigger = toThreadMessage(message);
    const reader = knowStarter(place.history ?? onlyMessage(trigger), place.id, trigger);
    const view = sinceLastNew(toAnsweringView(reader, { trigger, botUserId }), { botUserId });
    const { turns, error } = await builder.readContext(view, botUserId, { signal, trigger });
    return { turns, transcript: formatter.toTranscript(turns), error };
  };
}

function toThreadMessage(message: IncomingMessage): ThreadMessage {
  const { id, authorId, authorName, authorIsBot, isSystem, content } = message;
  return { id, authorId, authorName, authorIsBot, isSystem, content };
}

function onlyMessage(message: ThreadMessage): ThreadReader {
  return {
    fetchPage: async ({ before }) => (before === null ? [message] : []),
    fetchStarter: async () => null,
  };
}

/** A thread has the id of the message it was made from; that need not be asked for. */
function knowStarter(reader: ThreadReader, placeId: string, trigger: ThreadMessage): ThreadReader {
  return placeId === trigger.id ? { ...reader, fetchStarter: async () => trigger } : reader;
}
