import { findChatCode } from '@agent/text';
import { type ThreadTurn, toLineFeeds } from './transcript-formatter.ts';

/** Rules of who is who, and what does not count. */
export interface TurnRules {
  readonly botUserId: string;
  readonly ignore: (message: ThreadMessage) => boolean;
  readonly displayName: (message: ThreadMessage) => string;
  /** Cleans a text or a name. */
  readonly cleanText: (text: string) => string;
}

/** Gives the turn of a message; null for what is no part of the conversation. */
export type ToTurn = (message: ThreadMessage) => ThreadTurn | null;

/** Looks at each message once, however often its turn is asked for. */
export function rememberTurns(rules: TurnRules): ToTurn {
  const known = new Map<ThreadMessage, ThreadTurn | null>();
  return (message) => {
    const before = known.get(message);
    if (before !== undefined) return before;
    const turn = toTurn(message, rules);
    known.set(message, turn);
    return turn;
  };
}

/** The turns of messages, in their order, each made when it is asked for: a long history costs what is read of it. */
export function* toTurns(messages: Iterable<ThreadMessage>, toTurn: ToTurn): Generator<ThreadTurn> {
  for (const message of messages) {
    const turn = toTurn(message);
    if (turn !== null) yield turn;
  }
}

/**
 * Null for the empty, the platform's, other bots' and what is ignored.
 *
 * @see seed 003 §4.2
 */
function toTurn(message: ThreadMessage, rules: TurnRules): ThreadTurn | null {
  const { id, authorId, authorIsBot, isSystem } = message;
  const isOwn = authorId === rules.botUserId;
  if (isSystem || (authorIsBot && !isOwn) || rules.ignore(message)) return null;
  const content = rules.cleanText(message.content);
  const text = normalizeText(isOwn ? content : stripMention(content, rules.botUserId));
  if (text === '') return null;
  return { id, name: isOwn ? null : nameOf(message, rules), text };
}

function nameOf(message: ThreadMessage, { displayName, cleanText }: TurnRules): string {
  const { authorId, authorName } = message;
  return toSpeakerName(cleanText(displayName(message)), cleanText(authorName) || authorId);
}

/** Own posts that follow each other are one answer, split because it was long. */
export function joinOwnTurns(turns: readonly ThreadTurn[]): ThreadTurn[] {
  const joined: ThreadTurn[] = [];
  for (const turn of turns) {
    const before = joined.at(-1);
    if (before?.name !== null || turn.name !== null) joined.push(turn);
    else joined[joined.length - 1] = { ...before, text: `${before.text}\n${turn.text}` };
  }
  return joined;
}

/** Colons of every kind: behind the first one the transcript goes on with what was said. */
const colons = /[:\u02D0\u02F8\u0589\u2236\uA789\uFE13\uFE55\uFF1A]/g;

/** A name on one line and without colons, so that nobody's name can speak for somebody else. */
function toSpeakerName(name: string, fallback: string): string {
  const plain = toPlain(name);
  if (plain !== '') return plain;
  return toPlain(fallback) || 'unknown';
}

function toPlain(name: string): string {
  if (/^[\w.]+$/.test(name)) return name;
  return toLineFeeds(name)
    .replace(colons, ' ')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** Nothing but what nobody sees. */
const invisible = /^[\s\p{Default_Ignorable_Code_Point}\p{Cc}]*$/u;

/**
 * A message's text as the transcript holds it: trimmed, lines ended by LF, several blanks made one. Code keeps its
 * blanks. Empty where there is nothing to see.
 *
 * @see seed 003 §5.2 (`normalize`), decision D3
 */
export function normalizeText(text: string): string {
  const lines = toLineFeeds(text);
  if (invisible.test(lines)) return '';
  let result = '';
  let reached = 0;
  for (const { start, end } of findChatCode(lines)) {
    result += collapse(lines.slice(reached, start)) + lines.slice(start, end);
    reached = end;
  }
  return (result + collapse(lines.slice(reached))).trim();
}

/**
 * The text without the mentions of an account, in both of Discord's spellings.
 *
 * @see seed 003 §4.2, §5.2 (`stripBotMention`)
 * @see https://docs.discord.com/developers/reference#message-formatting
 */
export function stripMention(text: string, userId: string): string {
  if (!text.includes('<@')) return text;
  return text.replaceAll(`<@${userId}>`, '').replaceAll(`<@!${userId}>`, '');
}

function collapse(text: string): string {
  if (!/[ \t][ \t\n]|\t/.test(text)) return text;
  return text.replace(/[ \t]{2,}|\t/g, ' ').replaceAll(' \n', '\n');
}

/** A message as the thread shows it, whatever the platform calls its parts. */
export interface ThreadMessage {
  readonly id: string;
  readonly authorId: string;
  /** The account's name, not a nickname. */
  readonly authorName: string;
  readonly authorIsBot: boolean;
  /** Tells whether the platform wrote it, e.g. "Alice added Bob to the thread". */
  readonly isSystem: boolean;
  /** The text alone; empty where there are only attachments. */
  readonly content: string;
}

/**
 * Reads one thread. What it rejects with is not wrapped: the caller gets it as it is.
 *
 * @see seed 003 §4.1 (`thread.messages.fetch`)
 */
export interface ThreadReader {
  /**
   * Up to `limit` messages (1 to 100) that are older than `before`, the newest first; `null` begins at the newest.
   * Fewer than `limit` only where the thread begins.
   *
   * @see https://docs.discord.com/developers/resources/message#get-channel-messages
   */
  readonly fetchPage: (options: {
    before: string | null;
    limit: number;
    signal?: AbortSignal | undefined;
  }) => Promise<readonly ThreadMessage[]>;
  /** The message that the thread was made from, which is not in the thread itself; null when there is none. */
  readonly fetchStarter: (options?: { signal?: AbortSignal | undefined }) => Promise<ThreadMessage | null>;
}
