import { createHash } from 'node:crypto';
import { isOutage, type SourceComment } from '@agent/comment-detection';
import {
  type CommentMailbox,
  createCommentMailbox,
  type MailboxContents,
  type MailboxJournal,
} from '@agent/comment-detection/mailbox';
import type {
  Account,
  Authority,
  CallOptions,
  CommentSource,
  CommentWriter,
  Platform,
  TaskKey,
} from '@agent/platforms';
import {
  cleanUntrustedText,
  createEnvelopeCode,
  estimateTokens,
  fitText,
  formatEnvelopeInstruction,
  toErrorMessage,
} from '@agent/text';
import { createOutgoingGate, createSecretFilters } from '@agent/text/outgoing';
import type { SecretValues } from '@agent/text/secrets';
import { withOutgoingGate } from '../connection/with-outgoing-gate.ts';
import type { CommentRequest } from '../conversation/read-comment-tool.ts';
import { type RunLogger, silentLogger } from '../host/ports.ts';
import { createTextGuard, type TextGuard } from '../thread/text-guard.ts';
import { createTrust, type IsTrusted, identifyAgent, type TrustPolicy, toAccount } from '../thread/trust.ts';
import { type ReadThreadOptions, readConversation, readListedComments } from './read-conversation.ts';

/** Result of a call, as text for the model of an agent. */
export interface DeskAnswer {
  readonly text: string;
  /** True if the call failed, or the thread could not be checked. */
  readonly failed: boolean;
  /** Changes that it shows, by the ids that they are acknowledged with. */
  readonly ids: readonly string[];
  readonly hasMore: boolean;
}

/** Options of `getConversation`. */
export interface ConversationRequest extends CallOptions {
  /** Newest comments to show, as far as they fit. Default 50. */
  readonly maxComments?: number | undefined;
}

/** Answer to be posted. */
export interface AnswerRequest extends CallOptions {
  readonly body: string;
  /** Names the answer: posting it again with the same name edits it. Default: its text, so that repeating it posts it once. */
  readonly name?: string | undefined;
}

/** Port of one thread, for an agent that fetches and posts by calling tools. No function rejects, but for its signal. */
export interface ThreadDesk {
  readonly getNewComments: (options?: { readonly beforeEnd?: boolean } & CallOptions) => Promise<DeskAnswer>;
  readonly acknowledge: (ids: readonly string[]) => Promise<DeskAnswer>;
  readonly postAnswer: (answer: AnswerRequest) => Promise<DeskAnswer>;
  readonly getConversation: (options?: ConversationRequest) => Promise<DeskAnswer>;
  /** Reads comments that the conversation shows in part or only lists. */
  readonly readComment: (request: CommentRequest, options?: CallOptions) => Promise<DeskAnswer>;
}

/** Options of `createThreadDesk`. */
export interface ThreadDeskOptions {
  readonly key: TaskKey;
  /** Remembers what was acknowledged. */
  readonly journal: MailboxJournal;
  /** Values that must not be in any answer or post, such as the token of the platform. */
  readonly secrets: SecretValues;
  /** Policy of whose words may be followed. Default: of those with write permission. */
  readonly trust?: TrustPolicy | undefined;
  readonly logger?: RunLogger | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonicNow?: (() => number) | undefined;
  readonly sleep?: ((milliseconds: number, options: CallOptions) => Promise<void>) | undefined;
  /** Code of the envelopes. Default: a random UUID. */
  readonly nonce?: string | undefined;
}

/** Tokens of the longest answer, by the estimate of `@agent/text`. */
export const maxAnswerTokens = 8_000;

/** The part for words of people; the rest is for those around them. */
const maxContentTokens = maxAnswerTokens - 800;
const tokensOfAnId = 60;

/**
 * Opens the desk of a thread: comments wait there until they are acknowledged, texts of people come in envelopes that say whether
 * they may be followed, an answer holds at most 8,000 tokens, and what is posted passes the gate for outgoing texts.
 *
 * @example
 * const desk = createThreadDesk(platform, { key, journal: createFileJournal(path), secrets: [token] });
 * console.log((await desk.getNewComments()).text);
 */
export function createThreadDesk(platform: Platform, options: ThreadDeskOptions): ThreadDesk {
  const { secrets, key } = options;
  const gate = createOutgoingGate({ secrets, places: [] });
  const { hideKnownSecrets } = createSecretFilters(secrets);
  const bound = (text: string) =>
    fitText(hideKnownSecrets(text), { maxSize: maxAnswerTokens, measure: estimateTokens });
  const opening = openOnce(() => openDesk(withOutgoingGate(platform, gate), options));
  const answer = async (
    work: (desk: OpenDesk) => Promise<Partial<DeskAnswer> & { readonly text: string }>,
    signal?: AbortSignal,
  ): Promise<DeskAnswer> => {
    try {
      const said = await work(await opening());
      return { failed: false, ids: [], hasMore: false, ...said, text: bound(said.text) };
    } catch (error) {
      signal?.throwIfAborted();
      return { ...unshown, text: bound(`Error: ${toSentence(toErrorMessage(error))}${adviseOn(error)}`) };
    }
  };
  const read = (
    work: (
      thread: Parameters<typeof readConversation>[0],
      options: Omit<ReadThreadOptions, 'signal'>,
    ) => Promise<string>,
    signal?: AbortSignal,
  ) =>
    answer(async ({ guard, account }) => {
      // A source of its own: the mailbox's remembers the newest change, and asks for later ones only.
      const { reader, comments } = platform.openThread(key);
      const thread = { key, reader, comments: hideInternal(comments) };
      const text = await work(thread, { guard, account, maxTokens: maxContentTokens });
      return { text: `${formatEnvelopeInstruction(guard.nonce)}\n\n${text}` };
    }, signal);
  return {
    getNewComments: ({ beforeEnd: barrier = false, signal } = {}) =>
      answer(async ({ mailbox, guard }) => {
        const contents = await mailbox.take({ barrier, maxTokens: maxContentTokens, signal });
        signal?.throwIfAborted();
        return formatNews(contents, guard.nonce);
      }, signal),
    acknowledge: (ids) =>
      answer(async ({ mailbox }) => formatAcknowledged(await mailbox.acknowledge([...new Set(ids)]))),
    postAnswer: ({ body, name, signal }) =>
      answer(async ({ writer }) => {
        const shown = (await gate.cleanText(body)).trim();
        if (cleanUntrustedText(shown).text.trim() === '')
          throw new TypeError('The answer is empty. Pass its text as body.');
        const topic = `answer:${hash(name ?? shown)}`;
        const { url, change } = await writer.ensureComment({ topic, body, signal });
        return { text: `${changes[change]}${url === null ? '.' : `: ${url}`}` };
      }, signal),
    getConversation: ({ maxComments = 50, signal } = {}) =>
      read((thread, options) => readConversation(thread, { ...options, maxComments, signal }), signal),
    readComment: (request, { signal } = {}) =>
      read((thread, options) => readListedComments(thread, request, { ...options, signal }), signal),
  };
}

const changes = {
  created: 'Posted the answer',
  updated: 'Updated the answer',
  unchanged: 'The answer is already posted',
} as const;

const unshown = { failed: true, ids: [], hasMore: false } as const;

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

interface OpenDesk {
  readonly mailbox: CommentMailbox;
  readonly guard: TextGuard;
  readonly writer: CommentWriter;
  readonly account: Account;
}

/** An opening that failed is tried again at the next call. */
function openOnce(open: () => Promise<OpenDesk>): () => Promise<OpenDesk> {
  let opened: Promise<OpenDesk> | null = null;
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  };
}

async function openDesk(platform: Platform, options: ThreadDeskOptions): Promise<OpenDesk> {
  const { key, journal, logger = silentLogger, now = Date.now, nonce = createEnvelopeCode() } = options;
  const { trust: policy = { everyone: false, collaborators: true, isNamed: () => false } } = options;
  const account = await platform.identity.whoAmI();
  const { permissions, writer, comments, reader } = platform.openThread(key);
  const isTrusted = createTrust({ policy, permissions, ownAccount: account, now });
  const clean = async (text: string) => cleanUntrustedText(text).text;
  const guard = createTextGuard({ nonce, clean, isTrusted, logger });
  const { getComment } = reader;
  const source = { ...hideInternal(comments), ...(getComment === undefined ? {} : { getComment }) };
  const mailbox = createCommentMailbox(source, {
    ...identifyAgent({ ownAccount: account, botName: null, logger }),
    journal,
    logger,
    countTokens: (text) => estimateTokens(text) + tokensOfAnId,
    authorityOf: toAuthority(isTrusted),
    cleanText: clean,
    prepareBody: ({ body, author }, { authority }) =>
      guard.wrap(body, {
        author: author?.login ?? null,
        authority: authority === 'trusted' ? 'trusted' : 'untrusted',
      }),
    now: () => new Date(now()),
    monotonicNow: options.monotonicNow,
    sleep: options.sleep,
  });
  return { mailbox, guard, writer, account };
}

function toAuthority(isTrusted: IsTrusted) {
  return async (comment: SourceComment, options: CallOptions): Promise<Authority> =>
    (await isTrusted(toAccount(comment.author), options)) ? 'trusted' : 'untrusted';
}

/** An agent of others may say elsewhere what it reads here, so that notes for members alone are not shown to it. */
function hideInternal({ listComments }: CommentSource): CommentSource {
  return {
    listComments: async (options) => {
      const listing = await listComments(options);
      return { ...listing, comments: listing.comments.filter(({ visibility }) => visibility !== 'internal') };
    },
  };
}

function formatNews(
  { status, items, hasMore, error }: MailboxContents,
  nonce: string,
): Omit<DeskAnswer, 'failed'> & { readonly failed: boolean } {
  const ids = items.map(({ id }) => id);
  const checked = describeCheck(status, error);
  if (items.length === 0) {
    const text = status === 'checked' ? `${checked} There are no unacknowledged comments.` : checked;
    return { text, failed: status !== 'checked', ids, hasMore };
  }
  const more = hasMore
    ? ' There are more comments: acknowledge these, then call get_new_comments again.'
    : '';
  const how = `Process the comments below, then call acknowledge with their ids. Unacknowledged comments are listed again.${more}`;
  const blocks = items.map(({ id, text }) => `id: ${id}\n${text}`);
  const text = [`${checked} ${how}`, formatEnvelopeInstruction(nonce), ...blocks].join('\n\n');
  return { text, failed: false, ids, hasMore };
}

function describeCheck(status: MailboxContents['status'], error: unknown): string {
  if (status === 'checked') return 'Checked the thread.';
  const why = error === undefined ? 'waiting to retry after an earlier failure' : toErrorMessage(error);
  const advice = error === undefined ? tryLater : adviseOn(error);
  return `The thread could not be checked (${why}). There may be new comments.${advice}`;
}

const tryLater = ' Try again later.';
const giveUp =
  ' Waiting does not help, so do not repeat this call. Continue without it, and tell your user what failed: the token, its permissions, or the URL of the thread must be fixed.';

/** Words for the model of what to do after an error; none for a call that is wrong, whose error says it. */
function adviseOn(error: unknown): string {
  if (isOutage(error)) return tryLater;
  return error instanceof TypeError ? '' : giveUp;
}

function toSentence(text: string): string {
  return /[.!?]$/.test(text.trimEnd()) ? text.trimEnd() : `${text.trimEnd()}.`;
}

const maxNamedIds = 20;

function formatAcknowledged({
  acknowledged,
  unknown,
}: Awaited<ReturnType<CommentMailbox['acknowledge']>>): Pick<DeskAnswer, 'text' | 'failed' | 'ids'> {
  const done = `Acknowledged: ${acknowledged.length === 0 ? 'none' : acknowledged.join(', ')}.`;
  const shown = unknown.slice(0, maxNamedIds).map((id) => JSON.stringify(id.slice(0, 100)));
  const others = unknown.length - shown.length;
  const named = others === 0 ? shown.join(', ') : `${shown.join(', ')} and ${others} more`;
  const wrong = unknown.length === 0 ? '' : ` Not acknowledged, because the ids are unknown: ${named}.`;
  return { text: `${done}${wrong}`, failed: unknown.length > 0, ids: acknowledged };
}
