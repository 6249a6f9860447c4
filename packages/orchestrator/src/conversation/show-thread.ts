import type { Account, Authority, Comment } from '@agent/platforms';
import { parseCommentMarker } from '@agent/platforms/comments';
import {
  type ComposedFirstMessage,
  type ConversationContext,
  type ConversationEntry,
  type ConversationLimits,
  composeFirstMessage,
  fitComments,
  type ThreadNoun,
  toConversationContext,
} from '@agent/thread-context';
import { markHandledCommands } from '../inbox/commands.ts';
import type { Run } from '../run/run.ts';
import type { RunFacts } from '../run/run-facts.ts';
import type { ThreadSnapshot } from '../run/run-thread.ts';
import type { ShownComment } from '../thread/shown-comments.ts';
import {
  cleanComments,
  cleanThread,
  describeThreadPictures,
  markInternal,
  readThreadAuthorities,
  type TextGuard,
} from '../thread/text-guard.ts';
import { formatShortened, internalLine, type ThreadShares, untrustedShare } from '../thread/thread-shares.ts';
import { toTextComment } from '../thread/thread-text.ts';
import { isOwnThread } from '../thread/trust.ts';
import { isReport } from './thread-book.ts';

const nouns: Readonly<Record<RunFacts['kind'], ThreadNoun>> = {
  issue: 'issue',
  'pull request': 'pull-request',
  'merge request': 'merge-request',
};

/** Limits of what a first message shows. */
export interface ShowThreadLimits {
  readonly conversation: ConversationLimits;
  readonly shares: ThreadShares;
}

export interface ShowThreadOptions extends ShowThreadLimits {
  readonly snapshot: Pick<ThreadSnapshot, 'thread' | 'listing'>;
  /** Ids of comments that must be answered, however old they are. */
  readonly unanswered: ReadonlySet<string>;
  readonly guard: TextGuard;
  readonly ownAccount: Account;
  readonly signal?: AbortSignal | undefined;
}

/** First message of a run. */
export interface ShownThread {
  readonly text: string;
  /** Comments that it shows, whole or in part, and title and text of the issue. */
  readonly shown: readonly ShownComment[];
}

/** Shows a thread to the model of a run, within the thread's budget. */
export async function showThread(
  run: Pick<Run, 'uuid' | 'facts' | 'logger'>,
  options: ShowThreadOptions,
): Promise<ShownThread> {
  const { snapshot, guard, ownAccount, unanswered, signal } = options;
  // What the run wrote before it was interrupted is in its instructions.
  const comments = snapshot.listing.comments.filter(
    (comment) => !isReport(comment, { ownAccount, uuid: run.uuid }),
  );
  const context = await toContext({ ...options, comments });
  const { thread } = snapshot;
  const authorityOf = await readThreadAuthorities(context, { thread, comments, ownAccount, guard, signal });
  const compose = toComposer(run, { ...options, comments, context, authorityOf });
  const { shown } = compose(() => '');
  const visible = [...context.conversation.slice(0, 1), ...shown.map(({ item }) => item)];
  const picturesOf = await describeThreadPictures(
    { ...context, conversation: visible },
    { thread, comments, authorityOf, pictures: guard.pictures, signal },
  );
  const message = compose(picturesOf);
  const byId = new Map(comments.map((comment) => [comment.id, comment]));
  const shownComments = message.shown.flatMap(({ item, isShortened }) => {
    const comment = byId.get(String(item.metadata.id));
    return comment === undefined ? [] : [{ ...toIdAndBody(comment), isWhole: !isShortened }];
  });
  const isShown = ({ id }: Comment): boolean => shownComments.some((one) => one.id === id);
  const answers = await showUnanswered(
    comments.filter((one) => unanswered.has(one.id) && !isShown(one)),
    options,
  );
  const issue = { ...toIdAndBody(toTextComment(thread)), isWhole: message.isIssueWhole };
  return { text: `${message.text}${answers.text}`, shown: [issue, ...shownComments, ...answers.shown] };
}

function toIdAndBody({ id, body }: Pick<Comment, 'id' | 'body'>) {
  return { id, body };
}

interface ListedThread {
  /** Comments of the conversation, oldest first. */
  readonly comments: readonly Comment[];
}

async function toContext(options: ShowThreadOptions & ListedThread): Promise<ConversationContext> {
  const { snapshot, comments, guard, ownAccount, conversation } = options;
  const thread = await cleanThread(snapshot.thread, guard.clean);
  const marked = new Set(
    comments.filter(({ body }) => parseCommentMarker(body) !== null).map(({ id }) => id),
  );
  return toConversationContext(
    { ...thread, commentCount: comments.length },
    await cleanComments(comments, guard.clean),
    {
      ownAccount,
      // With a person's token, what that person writes by hand is a request like any other.
      ...(ownAccount.kind === 'person' ? { isOwnComment: ({ id }) => marked.has(String(id)) } : {}),
      ...conversation,
      maxCommentCount: Number.MAX_SAFE_INTEGER,
    },
  );
}

type Compose = (picturesOf: (entry: ConversationEntry) => string) => ComposedFirstMessage;

function toComposer(
  { facts }: Pick<Run, 'facts'>,
  {
    snapshot: { thread },
    comments,
    context,
    authorityOf,
    guard,
    ownAccount,
    ...limits
  }: ShowThreadOptions &
    ListedThread & {
      readonly context: ConversationContext;
      readonly authorityOf: Awaited<ReturnType<typeof readThreadAuthorities>>;
    },
): Compose {
  const byId = new Map(comments.map((comment) => [String(comment.id), comment]));
  return (picturesOf) =>
    composeFirstMessage(context, {
      locale: facts.locale,
      noun: nouns[facts.kind],
      url: thread.url,
      prepareText: (text, entry) => {
        const authority = authorityOf(entry);
        const said = authority === 'trusted' ? markHandledCommands(text) : text;
        const shown = markInternal(said, byId.get(String(entry.metadata.id)) ?? {});
        return guard.wrap(`${shown}${picturesOf(entry)}`, { author: entry.metadata.author, authority });
      },
      mayInstruct: (entry) => authorityOf(entry) === 'trusted',
      isOwnThread: isOwnThread(thread, ownAccount),
      handedOverBy: facts.handover?.by.login,
      budget: {
        maxTokens: limits.shares.thread,
        maxShown: limits.shares.maxShown,
        readTool: limits.shares.readTool,
        firstLineOf: ({ metadata }) =>
          byId.get(String(metadata.id))?.visibility === 'internal' ? internalLine : null,
        prepareList: (list) => guard.wrap(list, { author: null, authority: 'untrusted' }),
      },
    });
}

const unansweredHeading =
  'Unanswered comments of this thread. They are older than the comments above; answer them as well:';

/** Shows comments that earlier runs received too late and that the conversation has no room for; empty without such comments. */
async function showUnanswered(
  comments: readonly Comment[],
  { guard, shares, signal }: ShowThreadOptions,
): Promise<ShownThread> {
  if (comments.length === 0) return { text: '', shown: [] };
  const prepared: Prepared[] = [];
  for (const comment of comments) {
    const authority = await guard.authorityOf(comment.author, { signal });
    const text = await guard.clean(comment.body, comment.url ?? undefined);
    const pictures = await guard.pictures.describe(comment.body, { authority, signal });
    prepared.push({ comment, authority, text, pictures });
  }
  const format = (text: string, { comment, authority, pictures }: Prepared): string => {
    const said = markInternal(authority === 'trusted' ? markHandledCommands(text) : text, comment);
    const shown = guard.wrap(`${said}${pictures}`, { author: comment.author?.login ?? null, authority });
    return `${comment.createdAt} (id ${comment.id})\n${shown}`;
  };
  const fitted = fitComments(prepared, {
    maxTokens: Math.floor(shares.thread / 2),
    textOf: ({ text }) => text,
    formatShown: ({ item, text, isShortened }) =>
      isShortened
        ? `${format(text, item)}\n${formatShortened({ id: item.comment.id, shown: text.length, total: item.text.length }, shares)}`
        : format(text, item),
    formatOlder: ({ listed, counted }) =>
      `${listed.map(({ item }) => item.comment.id)} ${counted?.count ?? ''}`,
    isTrusted: ({ authority }) => authority === 'trusted',
    untrustedShare,
    maxCommentTokens: shares.comment,
  });
  const texts = fitted.shown.map(({ item, text, isShortened }) =>
    isShortened
      ? `${format(text, item)}\n${formatShortened({ id: item.comment.id, shown: text.length, total: item.text.length }, shares)}`
      : format(text, item),
  );
  const others = [
    ...fitted.listed.map(({ item }) => `id ${item.comment.id}`),
    ...(fitted.counted === null ? [] : [`${fitted.counted.count} older ones`]),
  ];
  const rest =
    others.length === 0
      ? []
      : [
          `Unanswered and not shown: ${others.join(', ')}.${shares.readTool === undefined ? '' : ` Read them with \`${shares.readTool}\`.`}`,
        ];
  return {
    text: ['', unansweredHeading, ...texts, ...rest].join('\n\n'),
    shown: fitted.shown.map(({ item, isShortened }) => ({
      ...toIdAndBody(item.comment),
      isWhole: !isShortened,
    })),
  };
}

interface Prepared {
  readonly comment: Comment;
  readonly authority: Authority;
  readonly text: string;
  readonly pictures: string;
}
