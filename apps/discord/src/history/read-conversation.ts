import { cleanUntrustedText, removeReasoning } from '@agent/text';
import {
  type ChatTurn,
  ThreadContextBuilder,
  type ThreadContextOptions,
  type ThreadMessage,
  type ThreadReader,
  TranscriptFormatter,
} from '@agent/thread-context';
import { isNotice, sinceLastNew, toAnsweringView } from '@agent/thread-context/chat';
import type { IncomingMessage } from '../message/incoming-message.ts';
import type { Place } from '../place/place.ts';
import type { Settings } from '../settings/parse-settings.ts';

/** Conversation up to the message that is to be answered. */
export interface Conversation {
  readonly turns: readonly ChatTurn[];
  /** The same as text. */
  readonly transcript: string;
  /** Why it is not all there; null when it is. */
  readonly error: unknown;
}

/** Reads a conversation up to a message. Never rejects for what Discord does. */
export type ReadConversation = (
  place: Pick<Place, 'id' | 'history'>,
  options: {
    readonly message: IncomingMessage;
    readonly signal: AbortSignal;
    /** Size of the transcript in UTF-16 units, at most. Default: as set. */
    readonly maxChars?: number | undefined;
  },
) => Promise<Conversation>;

/** Reads each conversation anew, from wherever its place reads. @see decisions D7, D8 and D13 */
export function createConversationReader(options: ThreadContextOptions, botUserId: string): ReadConversation {
  const ignore = ({ authorId, content }: ThreadMessage): boolean =>
    authorId === botUserId && isNotice(content);
  const formatter = new TranscriptFormatter();
  return async (place, { message: trigger, signal, maxChars = options.maxTranscriptChars }) => {
    const builder = new ThreadContextBuilder({ ...options, ignore, maxTranscriptChars: maxChars });
    const reader = openReader(place, trigger);
    const view = sinceLastNew(toAnsweringView(reader, { trigger, botUserId }), { botUserId });
    const { turns: read, error } = await builder.readContext(view, botUserId, { signal, trigger });
    const turns = read.map(withoutReasoning).filter(({ text }) => text !== '');
    return { turns, transcript: formatter.toTranscript(turns), error };
  };
}

/** Earlier answers may hold reasoning that was posted with them. */
function withoutReasoning(turn: ChatTurn): ChatTurn {
  return turn.role === 'assistant' ? { ...turn, text: removeReasoning(turn.text) } : turn;
}

/** A thread has the id of the message it was made from; that need not be asked for. */
function openReader({ id, history }: Pick<Place, 'id' | 'history'>, trigger: ThreadMessage): ThreadReader {
  if (history !== null)
    return id === trigger.id ? { ...history, fetchStarter: async () => trigger } : history;
  return {
    fetchPage: async ({ before }) => (before === null ? [trigger] : []),
    fetchStarter: async () => null,
  };
}

/** Reads out of the settings how a thread becomes a conversation. */
export function toContextOptions(settings: Settings): ThreadContextOptions {
  return {
    maxMessages: settings.MAX_THREAD_MESSAGES,
    maxTranscriptChars: settings.MAX_TRANSCRIPT_CHARS,
    pinStarter: settings.PIN_STARTER,
    stable: settings.STABLE_PREFIX,
    // Whoever writes what nobody sees writes it for the model alone.
    removeHidden: true,
    // An account's name is checked by Discord, a shown name may hold anything.
    ...(settings.DISPLAY_NAME
      ? { displayName: ({ authorName }) => cleanUntrustedText(authorName).text }
      : {}),
  };
}
