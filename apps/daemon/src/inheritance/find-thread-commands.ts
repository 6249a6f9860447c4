import type { InheritanceCommands } from '@agent/context-inheritance/inheritance';
import type { Account, Comment, CommentListing, Thread } from '@agent/platforms';
import type { IsTrusted } from '../comments/create-trust.ts';

/** Something that a person wrote on a thread. */
export interface SaidText {
  /** Null for the thread's own text. */
  readonly commentId: string | null;
  readonly author: Account | null;
  /** Without what no page shows: that commands nothing. */
  readonly body: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

export interface SaidTextOptions {
  readonly clean: (text: string) => string;
  /** Tells what the agent wrote: that commands nothing. */
  readonly isOwn: (comment: Comment) => boolean;
}

/** What people wrote on a thread, its own text first. */
export function listSaidTexts(
  { thread, listing }: { readonly thread: Thread; readonly listing: CommentListing },
  { clean, isOwn }: SaidTextOptions,
): readonly SaidText[] {
  const { author, body, createdAt } = thread;
  const said = listing.comments.filter((comment) => !isOwn(comment));
  return [
    { commentId: null, author, body: clean(body), createdAt },
    ...said.map((comment) => ({ ...comment, commentId: comment.id, body: clean(comment.body) })),
  ];
}

/** Whether a text may command something; what it does is read by those who know the commands. */
export function mayCommand({ body }: Pick<SaidText, 'body'>): boolean {
  return /^\//m.test(body);
}

/** What was commanded, and by which comments. */
export interface ThreadCommands extends InheritanceCommands {
  readonly obeyed: readonly string[];
  /** Comments of people who may not steer. */
  readonly refused: readonly string[];
}

export interface ThreadCommandsOptions {
  /** Of the library: the commands in these texts. */
  readonly find: (
    texts: readonly (SaidText & { readonly isTrusted: boolean })[],
    options: { readonly since: string | null },
  ) => InheritanceCommands;
  /** When the last run of the thread ended (ISO 8601). */
  readonly since: string | null;
  readonly isTrusted: IsTrusted;
}

/** Platforms give the second of a comment, not its millisecond. */
const resolutionMs = 1_000;

/**
 * Reads the commands about the past that people gave since the last run ended; only who wrote one is asked about.
 *
 * @throws PlatformError when the platform cannot say whether somebody may steer
 * @see decision C8
 */
export async function findThreadCommands(
  texts: readonly SaidText[],
  { find, isTrusted, ...options }: ThreadCommandsOptions,
): Promise<ThreadCommands> {
  const since =
    options.since === null ? null : new Date(Date.parse(options.since) - resolutionMs).toISOString();
  const judged: (SaidText & { readonly isTrusted: boolean })[] = [];
  for (const text of texts) {
    const { refusal, showsHistory } = find([{ ...text, isTrusted: true }], { since });
    if (refusal === null && !showsHistory) continue;
    judged.push({ ...text, isTrusted: await isTrusted(text.author) });
  }
  const listIds = (trusted: boolean) =>
    judged.filter((text) => text.isTrusted === trusted).flatMap(({ commentId }) => commentId ?? []);
  return { ...find(judged, { since }), obeyed: listIds(true), refused: listIds(false) };
}
