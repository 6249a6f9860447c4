import { createHash, randomUUID } from 'node:crypto';
import { fitStart } from '@agent/text';
import { z } from 'zod';
import type { Conversation } from '../conversation.ts';
import { toText } from '../ending.ts';
import type { JournalEntry, JsonValue } from '../model.ts';
import type { OpenedSession } from './executor.ts';

/** Name of the facts that tell of an agent's session. */
export const sessionFactName = 'agent-session';

const sessionSchema = z.object({
  id: z.string(),
  secret: z.string(),
  /** Agent that works in it. */
  agent: z.object({ name: z.string(), version: z.string().nullable() }).nullable(),
  /** Cost of the run before the session began, in millionths. */
  costBefore: z.number(),
});

/** Session of an agent, as the run's journal names it. */
export type KnownSession = z.infer<typeof sessionSchema>;

/** Finds the last session that a journal tells of; null where there is none. */
export function findSession(entries: readonly JournalEntry[]): KnownSession | null {
  const facts = entries.flatMap((entry) =>
    entry.type === 'fact' && entry.name === sessionFactName ? [sessionSchema.safeParse(entry.data)] : [],
  );
  return facts.at(-1)?.data ?? null;
}

/** Message of the user, for an agent. */
export interface HandedMessage {
  readonly seq: number;
  readonly text: string;
}

const maxEarlierChars = 2_000;

/**
 * Remembers what an agent has of a conversation. A message is *handed* once it was given to the agent, and *taken* only
 * when the agent's conversation was seen to hold it: an agent that ends in between may have lost it.
 */
export class HandedMessages {
  readonly #handed = new Map<number, number>();
  readonly #inFlight = new Set<number>();
  readonly #taken = new Set<number>();
  /** Marks that this process wrote or looked for. */
  readonly #marks = new Set<string>();
  readonly #createSecret: () => string;
  #session: KnownSession | null = null;
  #replays = false;
  /** True once the agent has got something done since it was opened. */
  #hasWorked = false;

  constructor(createSecret: () => string = randomUUID) {
    this.#createSecret = createSecret;
  }

  get session(): KnownSession | null {
    return this.#session;
  }

  /** Takes the session that an earlier process began. */
  resume(session: KnownSession | null): void {
    this.#session = session;
  }

  /** Compares with what the agent's conversation holds. @returns the fact to journal for a session that is new, or another agent's; else null */
  compare(
    opened: OpenedSession,
    { conversation, costMicros }: { readonly conversation: Conversation; readonly costMicros: number },
  ): (JsonValue & KnownSession) | null {
    this.#replays = opened.userText !== null;
    const isNew = !opened.isKept || this.#session === null;
    const session =
      isNew || this.#session === null
        ? { id: opened.id, secret: this.#createSecret(), agent: opened.agent, costBefore: costMicros }
        : { ...this.#session, agent: opened.agent };
    const isOther = JSON.stringify(this.#session?.agent) !== JSON.stringify(session.agent);
    this.#session = session;
    // A new session is told everything once more; one that nothing was done in has lost it.
    if (isNew && this.#hasWorked) this.#handed.clear();
    this.#hasWorked = false;
    this.#taken.clear();
    this.#inFlight.clear();
    this.#find(opened.userText ?? '', conversation);
    return isNew || isOther ? session : null;
  }

  /** Learns which messages stand in a replay: those that it holds whole, with their marks. A mark alone says nothing. */
  #find(userText: string, conversation: Conversation): void {
    const { secret } = this.#need();
    const told = toBareText(userText);
    const marks = new Set([...told.matchAll(bareMark)].map(([, found = '']) => found));
    for (const { seq, text } of listUserMessages(conversation)) {
      const mark = toMark({ secret, seq });
      this.#marks.add(mark);
      if (marks.has(mark) && told.includes(toBareText(writeMarked(text, mark)))) this.#taken.add(seq);
    }
  }

  /** Messages that the agent's conversation is not known to hold. */
  listMissing(conversation: Conversation): readonly HandedMessage[] {
    return listUserMessages(conversation).filter(({ seq }) => !this.#taken.has(seq));
  }

  /** Those that it was not even given, since it was opened. */
  listUnhanded(conversation: Conversation): readonly HandedMessage[] {
    return this.listMissing(conversation).filter(({ seq }) => !this.#inFlight.has(seq));
  }

  /** Notes that messages are given to the agent. @returns how often the one was that was given most often */
  hand(messages: readonly HandedMessage[]): number {
    for (const { seq } of messages) {
      this.#inFlight.add(seq);
      this.#handed.set(seq, (this.#handed.get(seq) ?? 0) + 1);
    }
    return Math.max(0, ...messages.map(({ seq }) => this.#handed.get(seq) ?? 0));
  }

  /** Notes that the agent did not lose what it was given: it could not work. */
  forgiveHandings(): void {
    this.#handed.clear();
  }

  /** Notes that the agent has got something done. */
  noteWork(): void {
    this.#hasWorked = true;
  }

  /** Notes that the agent's conversation holds messages. */
  confirm(messages: readonly HandedMessage[]): void {
    for (const { seq } of messages) this.#taken.add(seq);
  }

  /** Tells whether the agent can be asked what its conversation holds. */
  get canCompare(): boolean {
    return this.#replays;
  }

  /** Writes messages for the agent, each with its mark. */
  write(messages: readonly HandedMessage[]): readonly string[] {
    const { secret } = this.#need();
    return messages.map(({ seq, text }) => {
      const mark = toMark({ secret, seq });
      this.#marks.add(mark);
      return writeMarked(text, mark);
    });
  }

  /** Takes all marks out of what an agent says or does: they are nobody's business but ours. */
  hideMarks(text: string): string {
    return text
      .replace(markInWords, '')
      .replace(/[0-9a-f]{16}/giu, (found) => (this.#marks.has(found.toLowerCase()) ? '…' : found));
  }

  /** Writes what a session begins with: the instructions, and what was said and done before it; nothing else to one that has begun. */
  writeOpening(conversation: Conversation): readonly string[] {
    if (this.#taken.size > 0) return [];
    const said = conversation.messages.flatMap((message) => {
      const text = message.role === 'assistant' ? toText(message).trim() : '';
      return text === '' ? [] : [fitStart(text, maxEarlierChars)];
    });
    const earlier = said.length === 0 ? [] : [`What you have said before:\n\n${said.join('\n\n')}`];
    const opening = [conversation.instructions, ...earlier].filter((text) => text !== '');
    return [...opening.map(quoteMarks), aboutMarks];
  }

  #need(): KnownSession {
    if (this.#session === null) throw new Error('no session is open');
    return this.#session;
  }
}

/** Phases of a plan whose requests are the agent's; those of all others are the model's. */
const agentPhases: ReadonlySet<string> = new Set(['execution', 'loop']);

/** Finds the phase of a plan that makes a request; null where it is none of a phase. */
function findPhase(request: string): string | null {
  return /^Planning phase: (\w+) \(request \d+\)\./u.exec(request)?.[1] ?? null;
}

/** Lists what the agent's conversation should hold: all that people say, and all requests but those of a plan's other phases. */
function listUserMessages({ said }: Conversation): readonly HandedMessage[] {
  let phase: string | null = null;
  return said.flatMap(({ seq, message, delivers }) => {
    const text = toText(message);
    if (!delivers) phase = findPhase(text) ?? phase;
    return delivers || phase === null || agentPhases.has(phase) ? [{ seq, text }] : [];
  });
}

const aboutMarks =
  'Each message to you ends in a mark in brackets by which the program that sends it finds it again. Never repeat a mark, neither in words nor in files.';

const markPattern = /\[message ([0-9a-f]{16})\]/gu;
const bareMark = /\[message([0-9a-f]{16})\]/gu;
const markInWords = /(?:\n\n| )?\[message [0-9a-f]{16}\]/giu;

/**
 * Writes the text of a message so that it is found again in what an agent replays of its conversation. What looks like a mark in
 * the text itself is changed: it has no other mark than its own.
 */
function writeMarked(text: string, mark: string): string {
  return `${quoteMarks(text)}\n\n[message ${mark}]`;
}

function quoteMarks(text: string): string {
  return text.replace(markPattern, '(message $1)');
}

/** Agents replay a text with other spaces and line ends, or escaped; its letters and the brackets of its mark stay. */
function toBareText(text: string): string {
  return text.replace(/[^\p{L}\p{N}[\]]+/gu, '');
}

/** Gives the mark of a message: of its number, and of a secret that is drawn for the session and told to nobody. */
function toMark({ secret, seq }: { readonly secret: string; readonly seq: number }): string {
  return createHash('sha256').update(`${secret}:${seq}`).digest('hex').slice(0, 16);
}
