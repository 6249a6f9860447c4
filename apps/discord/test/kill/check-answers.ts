/** A message as Discord has it at the end of a trial. */
export interface EndMessage {
  readonly id: string;
  readonly channelId: string;
  readonly content: string;
  readonly isOwn: boolean;
  readonly repliesTo: string | null;
  /** Tells whether the bot's 🚫 stands on it. */
  readonly isRefused: boolean;
  /** Tells whether a thread was made from it. */
  readonly hasThread: boolean;
}

/** What somebody asked; its number stands in the message and in each line of the answer. */
export interface Asked {
  readonly id: string;
  readonly channelId: string;
  readonly number: number;
  readonly isDeleted: boolean;
}

/** Something that a trial broke. */
export interface Finding {
  readonly number: number;
  /** `beside`: answered in the channel, while the thread that was made for it is left. */
  readonly kind: 'silent' | 'twice' | 'half' | 'mixed' | 'beside';
}

const lineStart = (number: number, index: number): string => `A${number} line ${index} of `;

/** What the scripted model says to a message, in so many lines. */
export function scriptedAnswer(number: number, lines: number): string {
  const line = (index: number): string => `${lineStart(number, index)}${lines}. ${'x'.repeat(index % 60)}`;
  return Array.from({ length: lines }, (_, index) => line(index)).join('\n');
}

/**
 * Looks at what stands on Discord: each message that still stands has one whole answer, or a word that it has none. It knows
 * nothing of the bot but that words are replies to what they are about, or stand in the thread of its id.
 */
export function checkAnswers(asked: readonly Asked[], messages: readonly EndMessage[]): readonly Finding[] {
  const found = indexMessages(messages);
  return asked.flatMap(({ id, number, isDeleted, channelId }): Finding[] => {
    const lines = found.lines.get(number) ?? [];
    const seen = lines.map(({ index }) => index);
    const wanted = lines[0]?.of ?? 0;
    if (new Set(seen).size < seen.length) return [{ number, kind: 'twice' }];
    if (seen.some((index, place) => index !== place)) return [{ number, kind: 'mixed' }];
    const isWhole = wanted > 0 && seen.length === wanted;
    // What was cut off in its first line says of which answer it is by where it stands alone.
    const begun = (found.bySubject.get(id) ?? []).filter(({ content }) =>
      isBeginning(content, lineStart(number, 0)),
    );
    const carriers = [...(found.carriers.get(number) ?? []), ...begun];
    const isMarked = carriers.some(({ content }) => content.includes('⏳'));
    const asks = found.byId.get(id);
    if (asks?.hasThread === true && carriers.some((carrier) => carrier.channelId === channelId))
      return [{ number, kind: 'beside' }];
    if (isWhole && !isMarked) return [];
    if (isDeleted || asks?.isRefused === true) return [];
    const isTold = found.words.some((word) => tells(word, { id, channelId }));
    if (carriers.length > 0) return isTold && !isMarked ? [] : [{ number, kind: 'half' }];
    return isTold ? [] : [{ number, kind: 'silent' }];
  });
}

/** A message of the bot that begins with a sign, and what it is about. */
interface Word {
  readonly message: EndMessage;
  readonly subject: string | null;
}

/** Reads each message once: a check during a trial must not keep the simulators from answering. */
function indexMessages(messages: readonly EndMessage[]) {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const lines = new Map<number, { readonly index: number; readonly of: number }[]>();
  const carriers = new Map<number, EndMessage[]>();
  const bySubject = new Map<string | null, EndMessage[]>();
  const words: Word[] = [];
  for (const message of messages.filter(({ isOwn }) => isOwn)) {
    const { content } = message;
    for (const [, number, index, of] of content.matchAll(/^A(\d+) line (\d+) of (\d+)\./gm))
      append(lines, Number(number), { index: Number(index), of: Number(of) });
    const numbers = new Set([...content.matchAll(/A(\d+) line/g)].map(([, number]) => Number(number)));
    for (const number of numbers) append(carriers, number, message);
    const subject = findSubject(message, byId);
    append(bySubject, subject, message);
    if (content.startsWith('⚠')) words.push({ message, subject });
  }
  return { byId, lines, carriers, bySubject, words };
}

function append<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

/** Tells whether a text is cut off in these words. */
function isBeginning(content: string, words: string): boolean {
  const text = content.replace(/\n?⏳$/, '').trim();
  return text !== '' && words.startsWith(text);
}

/** Tells whether a word is about a message: it stands for that one, or for one after it. */
function tells(
  { message, subject }: Word,
  { id, channelId }: { readonly id: string; readonly channelId: string },
): boolean {
  if (subject === id) return true;
  // "… this message and 2 before it": of the same channel.
  return (
    /this message and \d+ before it/.test(message.content) &&
    message.channelId === channelId &&
    isBefore(id, subject)
  );
}

/** Finds the id of what a message of the bot is about: it replies to that, or to what is said to it, or stands first in its thread. */
function findSubject(message: EndMessage, byId: ReadonlyMap<string, EndMessage>): string | null {
  let target: string | null = message.repliesTo ?? message.channelId;
  for (let hops = 0; target !== null && byId.get(target)?.isOwn === true && hops < 5; hops += 1)
    target = byId.get(target)?.repliesTo ?? message.channelId;
  return target;
}

function isBefore(id: string, other: string | null): boolean {
  return other !== null && BigInt(id) < BigInt(other);
}
