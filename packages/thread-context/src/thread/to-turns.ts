import { normalizeText, stripMention, toLineFeeds } from './normalize-text.ts';
import type { ThreadMessage, ThreadTurn } from './ports.ts';

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
