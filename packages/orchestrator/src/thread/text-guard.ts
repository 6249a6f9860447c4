import { createHash } from 'node:crypto';
import type { Account, Authority, Comment, Thread } from '@agent/platforms';
import type { RunState } from '@agent/run-store';
import { createEnvelopeCode, type Removal, wrapUntrustedText } from '@agent/text';
import type { TextWorker } from '@agent/text/worker';
import type { ConversationContext, ConversationEntry } from '@agent/thread-context';
import type { RunLogger } from '../host/ports.ts';
import { noPictures, type RunPictures } from '../pictures/run-pictures.ts';
import { type IsTrusted, isOwnThread } from './trust.ts';

/** Authority of a text, which may be what the agent wrote itself. */
export type TextAuthority = Authority | 'own';

export interface Writer {
  /** Null when the account is gone. */
  readonly author: string | null;
  readonly authority: TextAuthority;
}

/** Guard between the texts of people and the model of one run. */
export interface TextGuard {
  /** Marks the envelopes of this run. */
  readonly nonce: string;
  /** Pictures in these texts. */
  readonly pictures: RunPictures;
  /** A text without what no page shows. */
  readonly clean: CleanText;
  /** A clean text in its envelope; empty when there is nothing to see. */
  readonly wrap: (text: string, writer: Writer) => string;
  /** Tells whether an account's words may be followed; `untrusted` where the platform could not be asked. */
  readonly authorityOf: (
    account: Account | null,
    options: { readonly signal?: AbortSignal | undefined },
  ) => Promise<Authority>;
}

export interface TextGuardOptions {
  readonly nonce: string;
  /** Default none. */
  readonly pictures?: RunPictures | undefined;
  readonly clean: CleanText;
  readonly isTrusted: IsTrusted;
  readonly logger: RunLogger;
}

export function createTextGuard({
  nonce,
  pictures = noPictures,
  clean,
  isTrusted,
  logger,
}: TextGuardOptions): TextGuard {
  return {
    nonce,
    pictures,
    clean,
    wrap: (text, writer) => (text.trim() === '' ? '' : wrapUntrustedText(text, { ...writer, nonce })),
    authorityOf: async (account, options) => {
      try {
        return (await isTrusted(account, options)) ? 'trusted' : 'untrusted';
      } catch (error) {
        options.signal?.throwIfAborted();
        logger.warn({ err: error, account: account?.login }, 'failed to check author permission');
        return 'untrusted';
      }
    },
  };
}

/** Longest text that is read; more than any platform takes. Beyond it, the end of something hidden may be missing. */
const maxReadChars = 2_097_152;
const truncationMark = '…(truncated)';

/** A text without what no page shows. `url` is where it stands, for the notice that is shown in its place if need be. */
export type CleanText = (text: string, url?: string | null) => Promise<string>;

export interface TextCleanerOptions {
  readonly textWorker: Pick<TextWorker, 'clean'>;
  readonly logger: RunLogger;
}

/**
 * Makes the function that every text of people passes on its way to the model. A text that is longer than any platform
 * takes, or that cannot be cleaned in time, is not shown at all. What was taken out or not shown is logged once, by kind and
 * number, never what.
 */
export function createTextCleaner({ textWorker, logger }: TextCleanerOptions): CleanText {
  const isFirst = rememberTexts();
  return async (text, url = null) => {
    const result = await textWorker.clean(text, { maxChars: maxReadChars });
    if (result === null) {
      if (isFirst(text)) logger.warn({ chars: text.length, url }, 'withheld text: cleaning timed out');
      return toNotice(text, url);
    }
    const { text: cleaned, removed } = result;
    if (removed.length > 0 && isFirst(text))
      logger.info({ chars: text.length, removed }, 'removed hidden content from text');
    return isTooLong(removed) ? truncationMark : cleaned;
  };
}

function isTooLong(removed: readonly Removal[]): boolean {
  return removed.some(({ kind }) => kind === 'over-limit');
}

function toNotice({ length }: string, url: string | null): string {
  const place = url === null ? '' : ` Users can read it at ${url}`;
  return `(A text of ${length} characters is not shown because it could not be cleaned in time.${place})`;
}

function rememberTexts(): (text: string) => boolean {
  const known = new Set<string>();
  return (text) => {
    const hash = createHash('sha256').update(text).digest('base64');
    const isNew = !known.has(hash);
    known.add(hash);
    return isNew;
  };
}

/** The thread without what no page shows: title, text, labels and the author's name. */
export async function cleanThread(thread: Thread, clean: CleanText): Promise<Thread> {
  const [title, body, labels, author] = await Promise.all([
    clean(thread.title, thread.url),
    clean(thread.body, thread.url),
    Promise.all(thread.labels.map((label) => clean(label))),
    cleanAccount(thread.author, clean),
  ]);
  return { ...thread, title, body, labels, author };
}

/** The comments without what no page shows, asked for together, so that they go in few messages. */
export function cleanComments(comments: readonly Comment[], clean: CleanText): Promise<readonly Comment[]> {
  return Promise.all(
    comments.map(async (comment) => {
      const { body, url } = comment;
      const [shown, author] = await Promise.all([clean(body, url), cleanAccount(comment.author, clean)]);
      return { ...comment, body: shown, author };
    }),
  );
}

async function cleanAccount(account: Account | null, clean: CleanText): Promise<Account | null> {
  return account === null ? null : { ...account, login: await clean(account.login) };
}

const told =
  '[Internal note: only members of the project can read it. Keep its content out of files, names and code.]';

/** A comment's text, with a word before it where not everybody may read it, so that the model knows. */
export function markInternal(
  text: string,
  { visibility }: { readonly visibility?: string | undefined },
): string {
  return visibility === 'internal' && text.trim() !== '' ? `${told}\n${text}` : text;
}

/** In the state of a run. */
export const envelopeNonceName = 'envelope_nonce';

export interface EnvelopeNonceOptions {
  readonly logger: RunLogger;
  /** Draws a new one. Default `createEnvelopeCode`. */
  readonly draw?: (() => string) | undefined;
}

/**
 * Opens the mark of a run's envelopes: drawn when first asked for and kept in the run's state, so that a run that
 * is resumed uses the same. Where it cannot be kept, an envelope of the next process has another, which costs nothing
 * but the link to what the system prompt says.
 */
export async function openEnvelopeNonce(state: RunState, options: EnvelopeNonceOptions): Promise<string> {
  const { logger, draw = createEnvelopeCode } = options;
  const kept = await state.read(envelopeNonceName).catch(() => null);
  if (typeof kept === 'string' && /^[A-Za-z0-9-]{16,128}\n$/.test(kept)) return kept.trimEnd();
  const nonce = draw();
  try {
    await state.write(envelopeNonceName, `${nonce}\n`);
  } catch (error) {
    logger.warn({ err: error }, 'failed to save envelope nonce');
  }
  return nonce;
}

export interface ThreadAuthoritiesOptions {
  readonly thread: Pick<Thread, 'author' | 'changeRequest'>;
  readonly comments: readonly Pick<Comment, 'id' | 'author'>[];
  /** The agent's own account. */
  readonly ownAccount: Account;
  readonly guard: Pick<TextGuard, 'authorityOf'>;
  readonly signal?: AbortSignal | undefined;
}

/** Newest comments whose authors are asked about in any case. */
const maxAsked = 200;

/**
 * Reads whose words in a conversation may be followed. Our own were written from what strangers said among others: they inform,
 * the text of our own pull request as well. One account is asked about after the other, newest comments first, so that nobody is asked about twice. In a long thread
 * the oldest authors are only asked about until one of them is trusted; their comments count as untrusted.
 */
export async function readThreadAuthorities(
  { conversation }: ConversationContext,
  { thread, comments, ownAccount, guard, signal }: ThreadAuthoritiesOptions,
): Promise<(entry: ConversationEntry) => TextAuthority> {
  const accounts = new Map<string, Account | null>(comments.map(({ id, author }) => [String(id), author]));
  const authorities = new Map<ConversationEntry, TextAuthority>();
  let hasTrusted = false;
  for (const [index, entry] of [...conversation.entries()].toReversed()) {
    const isOwn = entry.role === 'assistant' || (index === 0 && isOwnThread(thread, ownAccount));
    const isOld = conversation.length - index > maxAsked && hasTrusted;
    if (!isOwn && index > 0 && isOld) continue;
    const account = index === 0 ? thread.author : (accounts.get(String(entry.metadata.id)) ?? null);
    const authority = isOwn ? 'own' : await guard.authorityOf(account, { signal });
    authorities.set(entry, authority);
    hasTrusted ||= authority === 'trusted';
  }
  return (entry) => authorities.get(entry) ?? 'untrusted';
}

export interface ThreadPicturesOptions {
  readonly thread: Pick<Thread, 'body'>;
  readonly comments: readonly Pick<Comment, 'id' | 'body'>[];
  readonly authorityOf: (entry: ConversationEntry) => TextAuthority;
  readonly pictures: Pick<RunPictures, 'describe'>;
  readonly signal?: AbortSignal | undefined;
}

/** Describes the pictures in the texts that a conversation shows, in their order: what stands there before its markup was cleaned. */
export async function describeThreadPictures(
  { conversation }: ConversationContext,
  { thread, comments, authorityOf, pictures, signal }: ThreadPicturesOptions,
): Promise<(entry: ConversationEntry) => string> {
  const bodies = new Map(comments.map(({ id, body }) => [String(id), body]));
  const lines = new Map<ConversationEntry, string>();
  for (const [index, entry] of conversation.entries()) {
    const body = index === 0 ? thread.body : (bodies.get(String(entry.metadata.id)) ?? '');
    lines.set(entry, await pictures.describe(body, { authority: authorityOf(entry), signal }));
  }
  return (entry) => lines.get(entry) ?? '';
}
