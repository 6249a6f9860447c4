import { cleanUntrustedText, removeReasoning } from '@agent/text';
import {
  type ChatTurn,
  ThreadContextBuilder,
  type ThreadContextOptions,
  type ThreadMessage,
  type ThreadReader,
  TranscriptFormatter,
} from '@agent/thread-context';
import { type AttachedFiles, isNotice, sinceLastNew, toAnsweringView } from '@agent/thread-context/chat';
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
export function createConversationReader(
  options: ThreadContextOptions,
  { botUserId, files }: { readonly botUserId: string; readonly files: AttachedFiles },
): ReadConversation {
  const ignore = ({ authorId, content }: ThreadMessage): boolean =>
    authorId === botUserId && isNotice(content);
  const formatter = new TranscriptFormatter();
  return async (place, { message, signal, maxChars = options.maxTranscriptChars }) => {
    const trigger = await files.addTo({ ...message, content: message.modelContent ?? message.content });
    const builder = new ThreadContextBuilder({ ...options, ignore, maxTranscriptChars: maxChars });
    const reader = withFiles(openReader(place, trigger), files);
    const view = sinceLastNew(toAnsweringView(reader, { trigger, botUserId }), { botUserId });
    const { turns: read, error } = await builder.readContext(view, botUserId, { signal, trigger });
    const turns = read.map(withoutReasoning).filter(({ text }) => text !== '');
    return { turns, transcript: formatter.toTranscript(turns), error };
  };
}

/** Messages of a page whose files are read, the newest first. */
const maxMessagesWithFiles = 10;

/** The same messages with the text of their files. */
function withFiles(reader: ThreadReader, files: AttachedFiles): ThreadReader {
  return {
    fetchPage: async (request) => {
      const page = await reader.fetchPage(request);
      const read = new Set(page.filter(({ id }) => files.has(id)).slice(0, maxMessagesWithFiles));
      return Promise.all(page.map((message) => (read.has(message) ? files.addTo(message) : message)));
    },
    fetchStarter: async (request) => {
      const starter = await reader.fetchStarter(request);
      return starter === null ? null : files.addTo(starter);
    },
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
