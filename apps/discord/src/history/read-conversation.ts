import type { IncomingMessage } from '../message/incoming-message.ts';
import type { Place } from '../place/place.ts';
import { toAnsweringView } from './answering-view.ts';
import type { ChatTurn, ThreadMessage, ThreadReader } from './ports.ts';

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

/** Builds the turns of a thread. */
export interface ContextBuilder {
  readonly readContext: (
    thread: ThreadReader,
    botUserId: string,
    options: { readonly signal: AbortSignal; readonly trigger: ThreadMessage },
  ) => Promise<{ readonly turns: readonly ChatTurn[]; readonly complete: boolean; readonly error: unknown }>;
}

export interface ConversationParts {
  readonly builder: ContextBuilder;
  readonly formatter: { readonly toTranscript: (turns: readonly ChatTurn[]) => string };
  readonly botUserId: string;
}

/** Reads each conversation anew, from wherever its place reads. @see decisions D7 and D8 */
export function createConversationReader({
  builder,
  formatter,
  botUserId,
}: ConversationParts): ReadConversation {
  return async (place, { message, signal }) => {
    const trigger = toThreadMessage(message);
    const reader = place.history === null ? onlyMessage(trigger) : place.history;
    const view = toAnsweringView(knowStarter(reader, place.id, trigger), {
      triggerId: trigger.id,
      botUserId,
    });
    const { turns, error } = await builder.readContext(view, botUserId, { signal, trigger });
    signal.throwIfAborted();
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
