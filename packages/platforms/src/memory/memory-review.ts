import { formatReviewBody } from '@agent/text';
import { composeOwnComment, findOwnComment, isSameBody } from '../comments/own-comment.ts';
import { inOrder, moveCursor, unchangedListing } from '../listings/comment-listing.ts';
import type { Comment, LineSubject, ReviewSubject } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import type {
  Check,
  Checks,
  ProvenSource,
  ReviewPorts,
  ReviewThread,
  ReviewThreads,
} from '../review-ports.ts';
import { accountOf, findThread, type MemoryState, type MemoryThread } from './memory-state.ts';
import type { MemoryThreadContext } from './memory-thread-ports.ts';

/** GitHub's limit. */
const maxCommentChars = 65_536;

/** Reviews and checks of one pull request; null for an issue. */
export function createMemoryReview(context: MemoryThreadContext): ReviewPorts | null {
  if (context.key.type === 'github_issue') return null;
  const review = () => findThread(context.state, context.key).review;
  return {
    lines: createMemorySource(context, { operation: 'listLines', list: () => listLines(review()) }),
    reviews: createMemorySource(context, { operation: 'listReviews', list: () => review().reviews }),
    threads: createMemoryReviewThreads(context),
    checks: createMemoryChecks(context),
  };
}

type MemoryReview = MemoryThread['review'];

/** Comments on lines as they stand: what was resolved is not an edit. */
function listLines({ lines }: MemoryReview): readonly Comment[] {
  return inOrder(lines);
}

/** A list of comments with cursors and unchanged polls. */
function createMemorySource(
  { call }: MemoryThreadContext,
  { operation, list }: { readonly operation: string; readonly list: () => readonly Comment[] },
): ProvenSource {
  const shown = new Map<string | null, string>();
  return {
    listComments: ({ since, signal }) =>
      call(operation, {
        signal,
        isUnchanged: (listing) => listing.unchanged,
        answer: () => {
          const all = list();
          const cursor = moveCursor(since, all);
          const mark = JSON.stringify(all);
          if (shown.get(since) === mark) return unchangedListing(cursor);
          shown.set(since, mark);
          const comments = all.filter((one) => since === null || (one.updatedAt ?? one.createdAt) >= since);
          return { comments, complete: since === null, cursor, unchanged: false };
        },
      }),
    getComment: (id, options = {}) =>
      call('getComment', { ...options, answer: () => list().find((one) => one.id === id) ?? null }),
  };
}

function createMemoryReviewThreads({ state, key, call, locale }: MemoryThreadContext): ReviewThreads {
  const pull = () => findThread(state, key);
  return {
    list: (options = {}) =>
      call('listReviewThreads', { ...options, answer: () => listThreads(pull().review) }),
    answer: ({ reviewThread, topic, body, signal }) =>
      call('answer', {
        signal,
        answer: () => {
          const { review } = pull();
          const { comments } = requireThread(review, reviewThread);
          const text = composeOwnComment({ topic, body }, { maxChars: maxCommentChars, locale });
          const found = findOwnComment(comments, { topic, account: state.agent });
          if (found === undefined) {
            const { id, url } = addReply(state, review, {
              to: reviewThread,
              author: state.agent.login,
              body: text,
            });
            return { id, url, change: 'created' as const };
          }
          const { id, url } = found;
          if (isSameBody(found.body, text)) return { id, url, change: 'unchanged' as const };
          editLine(state, review, { id, body: text });
          return { id, url, change: 'updated' as const };
        },
      }),
    resolve: (reviewThread, options = {}) =>
      call('resolve', {
        ...options,
        answer: () => {
          const { review } = pull();
          requireThread(review, reviewThread);
          review.resolved.add(reviewThread);
        },
      }),
  };
}

function listThreads({ lines, resolved }: MemoryReview): readonly ReviewThread[] {
  const byThread = Map.groupBy(inOrder(lines), threadOf);
  return [...byThread].flatMap(([id, comments]) => {
    const subject = comments[0]?.subject;
    if (subject?.kind !== 'line') return [];
    const { path, firstLine, lastLine, side, outdated } = subject;
    return [{ id, path, firstLine, lastLine, side, outdated, resolved: resolved.has(id), comments }];
  });
}

function threadOf({ subject }: Comment): string {
  return subject?.kind === 'line' ? subject.reviewThread : '';
}

function requireThread(review: MemoryReview, id: string): ReviewThread {
  const found = listThreads(review).find((thread) => thread.id === id);
  if (found === undefined) throw new PlatformError(`There is no review thread ${id}.`, { code: 'not-found' });
  return found;
}

function createMemoryChecks({ state, key, call }: MemoryThreadContext): Checks {
  const pull = () => findThread(state, key);
  return {
    readHead: (options = {}) =>
      call('readHead', { ...options, answer: () => pull().changeRequest?.headSha ?? '' }),
    list: ({ head, signal }) =>
      call('listChecks', {
        signal,
        answer: () => pull().review.checks.filter((check) => check.head === head),
      }),
    readLog: ({ id }, options = {}) =>
      call('readLog', { ...options, answer: () => pull().review.logs.get(id)?.slice(-20_000) ?? null }),
    rerun: ({ id }, options = {}) =>
      call('rerun', {
        ...options,
        answer: () => {
          const { review } = pull();
          const check = review.checks.find((one) => one.id === id);
          if (check === undefined) throw new PlatformError(`There is no check ${id}.`, { code: 'not-found' });
          if (check.conclusion === null)
            throw new PlatformError(`The check ${check.name} still runs.`, { code: 'conflict' });
          addCheck(state, review, { name: check.name, head: check.head, conclusion: null });
        },
      }),
  };
}

/** A place in a file that somebody comments on. */
export interface MemoryLineSeed {
  readonly author: string;
  readonly body: string;
  readonly path: string;
  readonly line: number;
}

/** Adds a comment on a line; gives back its id. */
export function addLine(state: MemoryState, thread: MemoryThread, seed: MemoryLineSeed): string {
  const { path, line } = seed;
  const number = String(state.nextId());
  const subject: LineSubject = {
    kind: 'line',
    path,
    firstLine: line,
    lastLine: line,
    side: 'new',
    hunk: `@@ -0,0 +1,${line} @@`,
    commit: thread.changeRequest?.headSha ?? null,
    outdated: false,
    resolved: null,
    reviewThread: number,
  };
  return addOnLine(state, thread.review, { ...seed, number, subject }).id;
}

/** Adds an answer to a review thread. */
export function addReply(
  state: MemoryState,
  review: MemoryReview,
  { to, ...seed }: { readonly to: string; readonly author: string; readonly body: string },
): Comment {
  const subject = requireThread(review, to).comments[0]?.subject ?? null;
  return addOnLine(state, review, { ...seed, number: String(state.nextId()), subject });
}

function addOnLine(
  state: MemoryState,
  review: MemoryReview,
  seed: Pick<MemoryLineSeed, 'author' | 'body'> & Pick<Comment, 'subject'> & { readonly number: string },
): Comment {
  const { author, body, subject, number } = seed;
  const time = state.time();
  const comment: Comment = {
    ...{ id: `line-${number}`, author: accountOf(state, author), body, createdAt: time, updatedAt: time },
    ...{ url: null, visibility: 'public', subject },
  };
  review.lines = [...review.lines, comment];
  return comment;
}

/** Changes the text of a comment on a line. */
export function editLine(
  state: MemoryState,
  review: MemoryReview,
  { id, body }: { readonly id: string; readonly body: string },
): void {
  const edit = (one: Comment) => (one.id === id ? { ...one, body, updatedAt: state.time() } : one);
  review.lines = review.lines.map(edit);
}

/** Says that all lines have changed since they were commented on. */
export function outdateLines(review: MemoryReview): void {
  review.lines = review.lines.map((one) =>
    one.subject?.kind === 'line' ? { ...one, subject: { ...one.subject, outdated: true } } : one,
  );
}

/** Adds a review; gives back its id. */
export function addReview(
  state: MemoryState,
  thread: MemoryThread,
  seed: Pick<ReviewSubject, 'state'> & { readonly author: string; readonly body: string },
): string {
  const id = `review-${state.nextId()}`;
  const body = formatReviewBody(seed.body, seed.state);
  const commit = thread.changeRequest?.headSha ?? null;
  const said = {
    id,
    author: accountOf(state, seed.author),
    createdAt: state.time(),
    updatedAt: null,
    url: null,
  };
  const subject = { kind: 'review', state: seed.state, commit } as const;
  if (body !== null)
    thread.review.reviews = [...thread.review.reviews, { ...said, body, visibility: 'public', subject }];
  return id;
}

/** Takes the effect of a review away. */
export function dismissReview(review: MemoryReview, id: string): void {
  review.reviews = review.reviews.map((one) => {
    if (one.id !== id || one.subject?.kind !== 'review') return one;
    const stateAt = one.body.lastIndexOf('(This review ');
    const said = one.body.slice(0, stateAt === -1 ? undefined : stateAt).trimEnd();
    const body = formatReviewBody(said, 'dismissed') ?? '';
    return { ...one, body, subject: { ...one.subject, state: 'dismissed' } };
  });
}

/** Result of a check on a commit. */
export interface MemoryCheckSeed extends Pick<Check, 'name' | 'head' | 'conclusion'> {
  readonly log?: string | undefined;
  readonly summary?: string | undefined;
}

/** Adds an attempt, or ends the one that runs. */
export function addCheck(state: MemoryState, review: MemoryReview, seed: MemoryCheckSeed): void {
  const { name, head, conclusion, log, summary = '' } = seed;
  const same = review.checks.filter((check) => check.name === name && check.head === head);
  const running = same.find((check) => check.conclusion === null);
  const time = state.time();
  const id = running?.id ?? `check-${state.nextId()}`;
  const check: Check = {
    ...{ id, name, head, conclusion, attempt: running?.attempt ?? same.length + 1, summary, url: null },
    required: review.required.size === 0 ? null : review.required.has(name),
    startedAt: running?.startedAt ?? time,
    endedAt: conclusion === null ? null : time,
  };
  review.checks = [...review.checks.filter((one) => one.id !== id), check];
  if (log !== undefined) review.logs.set(id, log);
}
