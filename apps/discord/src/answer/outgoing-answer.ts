import {
  isUnfinished,
  markUnfinished,
  mayBeOwn,
  type StandingPart,
  splitAnswer,
  withoutUnfinishedMark,
} from '@agent/thread-context/chat';
import { BotError } from '../bot-error.ts';
import { isVisible } from '../message/incoming-message.ts';
import type { Place } from '../place/place.ts';
import { isTransient, type RetryOptions, retryTransient, sleep } from '../waits.ts';

/** Discord limits edits to five in five seconds per channel. */
const intervalMs = 1_000;

/** Time for which Discord certainly knows a nonce again; it says "a few minutes". */
const nonceMs = 120_000;

/** The longest message that Discord takes. @see https://docs.discord.com/developers/resources/message#create-message */
const limits = { maxChars: 2_000, maxPartChars: 1_900 };

/**
 * Answer of the bot to one message, as it comes to stand on Discord. It converges: messages that stand are edited, missing
 * ones are posted under a nonce of their own, surplus ones go. The last one carries a mark until all of it stands.
 */
export interface OutgoingAnswer {
  /** Takes over what an earlier process left, by a mark of its own: a process that is still at work on it leaves. @throws BotError when it cannot */
  readonly claim: () => Promise<void>;
  /** Hears how a message of the account reads now: `broken` aborts when another process has taken the answer over. */
  readonly hear: (message: StandingPart) => void;
  /** Shows the text so far, soon; of several texts within a second the last. */
  readonly show: (textSoFar: string) => void;
  /** Shows the whole text. `isWhole: false` leaves the mark of the unfinished, until `say`. @throws BotError when it cannot */
  readonly finish: (text: string, options?: { readonly isWhole: boolean }) => Promise<void>;
  /** Says something below what stands, and takes the mark off that. @throws BotError when it cannot */
  readonly say: (notice: string) => Promise<void>;
  /** False as long as nothing of it was sent. */
  readonly hasBegun: () => boolean;
  /** Aborts as soon as it is known that it cannot be shown: a part was deleted, or another process answers. */
  readonly broken: AbortSignal;
}

export interface OutgoingAnswerOptions extends RetryOptions {
  /** Parts that an earlier process left unfinished, oldest first. Default: none. */
  readonly standing?: readonly StandingPart[] | undefined;
  /** Key of the process, by which it knows what it began itself. From 0 up to but not 65,536. */
  readonly key: number;
  /** Milliseconds without a change after which another process may take it over. Default: none does. */
  readonly leaseMs?: number | undefined;
}

type AnswerPlace = Pick<Place, 'send' | 'edit' | 'remove' | 'findSent'>;

/** Makes the answer that goes to a place. */
export function createOutgoingAnswer(place: AnswerPlace, options: OutgoingAnswerOptions): OutgoingAnswer {
  const { clock, signal } = options;
  const parts = createParts(place, options);
  const broken = new AbortController();
  let leaving = new AbortController();
  let wanted: string | null = null;
  let working: Promise<void> | null = null;
  let nextAt = 0;

  const work = async (): Promise<void> => {
    const end = AbortSignal.any([signal, leaving.signal]);
    while (wanted !== null) {
      await sleep(clock, nextAt - clock.now(), end);
      if (end.aborted) return;
      const text = wanted;
      wanted = null;
      nextAt = clock.now() + intervalMs;
      // What could not be shown now is shown with the next text, or at the end.
      await parts.put(text, false).catch((error: unknown) => isTransient(error) || broken.abort(error));
      if (broken.signal.aborted) return;
    }
    working = null;
  };
  const settle = async (): Promise<void> => {
    leaving.abort();
    await working;
    working = null;
    leaving = new AbortController();
    signal.throwIfAborted();
    broken.signal.throwIfAborted();
  };
  return {
    broken: broken.signal,
    hasBegun: () => parts.hasBegun(),
    claim: () => parts.claim(),
    hear: (message) => {
      if (parts.isTakenOver(message)) broken.abort(answeredElsewhere());
    },
    show: (textSoFar) => {
      if (!isVisible(textSoFar)) return;
      wanted = textSoFar;
      working ??= work();
    },
    finish: async (text, { isWhole } = { isWhole: true }) => {
      await settle();
      await sleep(clock, nextAt - clock.now(), signal);
      signal.throwIfAborted();
      await parts.put(text, isWhole);
    },
    say: async (notice) => {
      await settle().catch((error: unknown) => {
        if (signal.aborted) throw error;
      });
      await parts.say(notice);
    },
  };
}

/** The messages of one answer, in their order, as Discord has them. */
function createParts(place: AnswerPlace, options: OutgoingAnswerOptions) {
  const shown: { id: string; content: string }[] = (options.standing ?? []).map((part) => ({ ...part }));
  let isBroken = false;
  let hasBegun = false;
  let isLost = false;
  /** The last words under the mark of this process that Discord has not told of yet. */
  let awaited: string | null = null;
  const { clock, leaseMs = Number.POSITIVE_INFINITY } = options;
  let changedAt = clock.now();

  /** Finds out whether the last message reads as this process knows it. */
  const requireUnchanged = async (): Promise<void> => {
    const last = shown.at(-1);
    const first = shown.length > 1 ? (shown[0]?.id ?? null) : null;
    const found = await retryTransient(() => place.findSent(last?.content ?? '', { first }), options);
    isLost ||= found?.id !== last?.id;
    if (isLost) throw answeredElsewhere();
  };
  /** A process that was frozen, or waited for long, looks before it writes: events may tell it too late. */
  const write = async <Result>(act: () => Promise<Result>): Promise<Result> => {
    if (isLost) throw answeredElsewhere();
    if (shown.length > 0 && clock.now() - changedAt > leaseMs) await requireUnchanged();
    const begunAt = clock.now();
    const result = await act();
    changedAt = begunAt;
    return result;
  };
  const post = async (content: string): Promise<void> => {
    hasBegun = true;
    // Below a part that was deleted nothing can be said; what is said then answers the question itself.
    const first = isBroken ? null : (shown[0]?.id ?? null);
    const number = shown.length;
    const id = await write(() => postOnce(place, { content, number, first }, options));
    shown.push({ id, content });
  };
  const edit = async (index: number, content: string, isRepeated: boolean): Promise<void> => {
    const part = shown[index];
    if (part === undefined || part.content === content) return;
    const act = () =>
      write(() => {
        if (isUnfinished(content)) awaited = content;
        return place.edit(part.id, content);
      });
    await (isRepeated ? retryTransient(act, options) : act());
    part.content = content;
  };
  const watch = async (act: () => Promise<void>): Promise<void> => {
    await act().catch((error: unknown) => {
      isBroken ||= BotError.isInstance(error) && error.code === 'discord-gone';
      throw error;
    });
  };
  /** Puts the mark of this process on the last message. */
  const markLast = (): Promise<void> => {
    const bare = withoutUnfinishedMark(shown.at(-1)?.content ?? '');
    return edit(shown.length - 1, markUnfinished(bare, options), true);
  };
  return {
    hasBegun: () => hasBegun,
    claim: () =>
      watch(async () => {
        if (shown.length === 0) return;
        hasBegun = true;
        await requireUnchanged();
        await markLast();
      }),
    /** True for the one of two writers whose mark came later; the other hears that mark after its own. */
    isTakenOver: ({ id, content }: StandingPart): boolean => {
      if (!isUnfinished(content) || !shown.some((part) => part.id === id)) return false;
      const isOwn = mayBeOwn(content, options);
      if (isOwn && toLetters(content) === toLetters(awaited ?? '')) awaited = null;
      isLost ||= !isOwn && awaited === null;
      return isLost;
    },
    put: (text: string, isWhole: boolean) =>
      watch(async () => {
        const contents = splitAnswer(text, { ...limits, hasRoomForMark: !isWhole || shown.length > 1 });
        // What an earlier text left stands, with its mark, until there is as much of the new one.
        if (!isWhole && contents.length < shown.length) return;
        // One that stood whole says that it does not, until the last of its messages is of the new text.
        if (shown.length > 1 && !isUnfinished(shown.at(-1)?.content ?? '')) await markLast();
        const last = contents.length - 1;
        for (const [index, content] of contents.entries()) {
          const isEnd = index === last && isWhole;
          if (index >= shown.length) {
            await post(isEnd ? content : markUnfinished(content, options));
            await edit(index - 1, contents[index - 1] ?? '', true);
          } else {
            const isFollowed = index < last && index < shown.length - 1;
            const isGrowing = index === last && !isWhole;
            await edit(index, isEnd || isFollowed ? content : markUnfinished(content, options), !isGrowing);
          }
        }
        if (!isWhole) return;
        for (const { id } of shown.splice(contents.length))
          await retryTransient(() => write(() => place.remove(id)), options);
      }),
    say: async (notice: string) => {
      await post(notice);
      const before = shown.at(-2);
      if (before !== undefined && !isBroken)
        await edit(shown.length - 2, withoutUnfinishedMark(before.content), true);
    },
  };
}

interface NewPart {
  readonly content: string;
  readonly number: number;
  readonly first: string | null;
}

/**
 * Posts the same message however often it is sent: the nonce sees to it, and after some minutes a look at what stands. Gives its id.
 *
 * @throws BotError `answered` when another process has posted it
 */
async function postOnce(
  place: AnswerPlace,
  { content, number, first }: NewPart,
  options: OutgoingAnswerOptions,
): Promise<string> {
  const begunAt = options.clock.now();
  const sent = await retryTransient(async () => {
    const isLate = options.clock.now() - begunAt > nonceMs;
    const found = isLate ? await place.findSent(content, { first }) : null;
    return found ?? place.send(content, { number, first });
  }, options);
  // The same words may come from another process, which then shows what follows them.
  const isOwn =
    toLetters(sent.content) === toLetters(content) &&
    sent.content.endsWith('⏳') === content.endsWith('⏳') &&
    mayBeOwn(sent.content, options);
  if (!isOwn) throw answeredElsewhere();
  return sent.id;
}

function answeredElsewhere(): BotError {
  return new BotError('answered', 'another process is answering this message');
}

/** Discord trims, and may drop what nobody sees; letters and digits it leaves alone. */
function toLetters(content: string): string {
  return content.replace(/[^\p{L}\p{N}]/gu, '');
}
