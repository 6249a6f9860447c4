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
  const own = messages.filter(({ isOwn }) => isOwn);
  return asked.flatMap(({ id, number, isDeleted, channelId }): Finding[] => {
    const lines = own.flatMap(({ content }) => [
      ...content.matchAll(new RegExp(`^A${number} line (\\d+) of (\\d+)\\.`, 'gm')),
    ]);
    const seen = lines.map(([, index]) => Number(index));
    const wanted = Number(lines[0]?.[2] ?? 0);
    if (new Set(seen).size < seen.length) return [{ number, kind: 'twice' }];
    if (seen.some((index, place) => index !== place)) return [{ number, kind: 'mixed' }];
    const isWhole = wanted > 0 && seen.length === wanted;
    // What was cut off in its first line says of which answer it is by where it stands alone.
    const begins = (message: EndMessage): boolean =>
      findSubject(message, messages) === id && isBeginning(message.content, lineStart(number, 0));
    const carriers = own.filter((message) => message.content.includes(`A${number} line`) || begins(message));
    const isMarked = carriers.some(({ content }) => content.includes('⏳'));
    const isTold = own.some((message) => tells(message, { id, channelId, messages }));
    const hasThread = messages.some((message) => message.id === id && message.hasThread);
    if (hasThread && carriers.some((carrier) => carrier.channelId === channelId))
      return [{ number, kind: 'beside' }];
    if (isWhole && !isMarked) return [];
    if (isDeleted || messages.some((message) => message.id === id && message.isRefused)) return [];
    if (carriers.length > 0) return isTold && !isMarked ? [] : [{ number, kind: 'half' }];
    return isTold ? [] : [{ number, kind: 'silent' }];
  });
}

/** Tells whether a text is cut off in these words. */
function isBeginning(content: string, words: string): boolean {
  const text = content.replace(/\n?⏳$/, '').trim();
  return text !== '' && words.startsWith(text);
}

interface About {
  readonly id: string;
  readonly channelId: string;
  readonly messages: readonly EndMessage[];
}

/** Tells whether a message is a word about another: it begins with a sign, and stands for that one, or for one after it. */
function tells(message: EndMessage, { id, channelId, messages }: About): boolean {
  if (!/^⚠/.test(message.content)) return false;
  const target = findSubject(message, messages);
  if (target === id) return true;
  // "… this message and 2 before it": of the same channel.
  return (
    /this message and \d+ before it/.test(message.content) &&
    message.channelId === channelId &&
    isBefore(id, target)
  );
}

/** Finds the id of what a message of the bot is about: it replies to that, or to what is said to it, or stands first in its thread. */
function findSubject(message: EndMessage, messages: readonly EndMessage[]): string | null {
  const byId = new Map(messages.map((each) => [each.id, each]));
  let target: string | null = message.repliesTo ?? message.channelId;
  for (let hops = 0; target !== null && byId.get(target)?.isOwn === true && hops < 5; hops += 1)
    target = byId.get(target)?.repliesTo ?? message.channelId;
  return target;
}

function isBefore(id: string, other: string | null): boolean {
  return other !== null && BigInt(id) < BigInt(other);
}
