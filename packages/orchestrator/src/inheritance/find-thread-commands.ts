import type { InheritanceCommands } from '@agent/context-inheritance';
import type { Account, Comment, CommentListing, Thread } from '@agent/platforms';
import type { LastRun } from '../past/earlier-runs.ts';
import { type CleanText, cleanComments } from '../thread/text-guard.ts';
import { threadTextId } from '../thread/thread-text.ts';
import type { IsTrusted } from '../thread/trust.ts';

/** Something that a person wrote on a thread. */
export interface SaidText {
  /** Id of the comment; `thread` for the thread's own text. */
  readonly id: string;
  readonly author: Account | null;
  /** Without what no page shows: that commands nothing. */
  readonly body: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

export interface SaidTextOptions {
  readonly clean: CleanText;
  /** Tells what the agent wrote: that commands nothing. */
  readonly isOwn: (comment: Comment) => boolean;
  /** True where the agent wrote the thread's own text. */
  readonly isOwnText: boolean;
}

/** Lists what people wrote on a thread, its own text first. */
export async function listSaidTexts(
  { thread, listing }: { readonly thread: Thread; readonly listing: CommentListing },
  { clean, isOwn, isOwnText }: SaidTextOptions,
): Promise<readonly SaidText[]> {
  const { author, body, url, createdAt } = thread;
  const said = listing.comments.filter((comment) => !isOwn(comment));
  return [
    ...(isOwnText ? [] : [{ id: threadTextId, author, body: await clean(body, url), createdAt }]),
    ...(await cleanComments(said, clean)),
  ];
}

/** Tells whether a text may command something; those who know the commands read what it does. */
export function mayCommand({ body }: Pick<SaidText, 'body'>): boolean {
  return /^\//m.test(body);
}

/** Commands, and the comments that gave them. */
export interface ThreadCommands extends InheritanceCommands {
  readonly obeyed: readonly string[];
  /** Comments of people who may not steer. */
  readonly refused: readonly string[];
  /** Ids of all texts that command something now, those that the last run heard included. */
  readonly heard: readonly string[];
}

export interface ThreadCommandsOptions {
  /** Finds the commands in these texts; from the library. */
  readonly find: (
    texts: readonly (SaidText & { readonly isTrusted: boolean })[],
    options: { readonly since: string | null },
  ) => InheritanceCommands;
  readonly last: LastRun | null;
  readonly isTrusted: IsTrusted;
}

/** Platforms give the second of a comment, not its millisecond: what the last run heard is told apart by its id. */
const resolutionMs = 1_000;

/**
 * Reads the commands about the past that people gave since the last run ended; only who wrote one is asked about.
 *
 * @throws PlatformError when the platform cannot say whether somebody may steer
 * @see decision C8
 */
export async function findThreadCommands(
  texts: readonly SaidText[],
  { find, isTrusted, last }: ThreadCommandsOptions,
): Promise<ThreadCommands> {
  const since = last === null ? null : new Date(Date.parse(last.endedAt) - resolutionMs).toISOString();
  const heard: string[] = [];
  const judged: (SaidText & { readonly isTrusted: boolean })[] = [];
  for (const text of texts) {
    const { refusal, showsHistory } = find([{ ...text, isTrusted: true }], { since });
    if (refusal === null && !showsHistory) continue;
    heard.push(text.id);
    if (last?.heard.includes(text.id)) continue;
    judged.push({ ...text, isTrusted: await isTrusted(text.author, { fresh: true }) });
  }
  const listIds = (trusted: boolean) =>
    judged.filter(({ id, isTrusted }) => isTrusted === trusted && id !== threadTextId).map(({ id }) => id);
  return { ...find(judged, { since }), obeyed: listIds(true), refused: listIds(false), heard };
}
