import type { CallOptions } from '@agent/platforms';

const marker = Symbol.for('@agent/thread-context/error');

/** Codes of a `ThreadContextError`. */
export type ThreadContextErrorCode = 'invalid-input';

/**
 * A thread that no context can be made of. What the platform itself refuses is not this error: that passes
 * through as the reader threw it.
 */
export class ThreadContextError extends Error {
  readonly code: ThreadContextErrorCode;

  constructor(code: ThreadContextErrorCode, message: string) {
    super(message);
    this.name = 'ThreadContextError';
    this.code = code;
    Object.defineProperty(this, marker, { value: true });
  }

  /** Recognizes errors of another installed copy of this package too. */
  static isInstance(error: unknown): error is ThreadContextError {
    return typeof error === 'object' && error !== null && marker in error;
  }
}

/** A comment, whatever spelling it came in. */
export interface NormalizedComment {
  readonly id: number | string;
  /** Login; `ghost` when the account was deleted. */
  readonly author: string;
  /** The account's own number as text; null when the platform did not say. */
  readonly authorId: string | null;
  /** As written; empty when the platform sent null. */
  readonly body: string;
  /** ISO 8601, as received. */
  readonly createdAt: string;
}

export interface NormalizedIssue extends NormalizedComment {
  readonly number: number;
  readonly title: string;
  readonly labels: readonly string[];
  readonly updatedAt: string;
  /** Null when the platform did not say. */
  readonly commentCount: number | null;
}

/** Reads both REST's and GraphQL's spelling of an issue (decision A2). @throws ThreadContextError */
export function normalizeIssue(issue: IssueInput): NormalizedIssue {
  if (!Number.isInteger(issue.number)) throw invalid(`The issue has no number (got ${String(issue.number)})`);
  const post = normalizePost(issue, `issue #${issue.number}`);
  return {
    ...post,
    number: issue.number,
    title: issue.title ?? '',
    labels: normalizeLabels(issue.labels),
    updatedAt: issue.updated_at ?? issue.updatedAt ?? post.createdAt,
    commentCount: normalizeCount(issue),
  };
}

/**
 * Reads every comment and puts them in order: by creation time, then id. One that stands there twice, as where
 * pages moved while they were read, counts once, as it was listed last. @throws ThreadContextError
 */
export function normalizeComments(comments: readonly CommentInput[]): NormalizedComment[] {
  const read = comments.map((comment, index) =>
    normalizePost(comment, `comment ${index + 1} of ${comments.length}`),
  );
  return [...new Map(read.map((comment) => [comment.id, comment])).values()].sort(compareComments);
}

function normalizePost(post: PostInput, what: string): NormalizedComment {
  const createdAt = post.created_at ?? post.createdAt;
  if (createdAt === undefined || Number.isNaN(Date.parse(createdAt))) {
    throw invalid(`The ${what} has no creation date; pass created_at or createdAt in ISO 8601`);
  }
  const author = post.user ?? post.author ?? null;
  return {
    id: normalizeId(post, what),
    author: author?.login ?? 'ghost',
    authorId: author === null ? null : accountId(author),
    body: post.body ?? '',
    createdAt,
  };
}

function normalizeId(post: PostInput, what: string): number | string {
  const id = post.databaseId ?? post.id;
  if (id === undefined || id === null || id === '')
    throw invalid(`The ${what} has no id; pass id or databaseId`);
  const number = Number(id);
  return Number.isSafeInteger(number) && String(number) === String(id) ? number : String(id);
}

function accountId(author: AuthorInput): string | null {
  const id = author.databaseId ?? author.id ?? null;
  return id === null ? null : String(id);
}

function normalizeLabels(labels: IssueInput['labels']): string[] {
  const list: readonly LabelInput[] = labels ? ('nodes' in labels ? labels.nodes : labels) : [];
  return list
    .map((label) => (typeof label === 'string' ? label : (label.name ?? '')))
    .filter((name) => name !== '');
}

function normalizeCount(issue: IssueInput): number | null {
  const count = issue.commentCount ?? issue.comments ?? null;
  return count !== null && typeof count === 'object' ? count.totalCount : count;
}

function compareComments(a: NormalizedComment, b: NormalizedComment): number {
  return Date.parse(a.createdAt) - Date.parse(b.createdAt) || compareIds(a.id, b.id);
}

/** Numbers by size, even those too large for a number; before all other ids. */
function compareIds(a: number | string, b: number | string): number {
  const [one, other] = [String(a), String(b)];
  if (isNumeric(one) && isNumeric(other)) return one.length - other.length || compareTexts(one, other);
  return Number(isNumeric(other)) - Number(isNumeric(one)) || compareTexts(one, other);
}

function isNumeric(id: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(id);
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function invalid(message: string): ThreadContextError {
  return new ThreadContextError('invalid-input', message);
}

/**
 * Reads one issue and its comments. Errors of the platform pass through unchanged.
 *
 * @see seed 000 §3.1 (`github.getIssue`, `github.listComments`)
 */
export interface IssueReader {
  readonly getIssue: (issueNumber: number, options?: CallOptions) => Promise<IssueInput>;
  /** All comments, all pages. The order does not matter. */
  readonly listComments: (issueNumber: number, options?: CallOptions) => Promise<readonly CommentInput[]>;
}

/** An account as REST or GraphQL writes it. */
export interface AuthorInput {
  readonly login: string;
  readonly id?: number | string | null | undefined;
  readonly databaseId?: number | null | undefined;
}

/** Fields that an issue and a comment have in common, in the spellings of REST, GraphQL and `@agent/platforms`. */
interface PostInput {
  readonly id?: number | string | null | undefined;
  /** GraphQL's number; preferred over `id`, which is opaque text there. */
  readonly databaseId?: number | null | undefined;
  readonly body?: string | null | undefined;
  readonly user?: AuthorInput | null | undefined;
  readonly author?: AuthorInput | null | undefined;
  readonly created_at?: string | undefined;
  readonly createdAt?: string | undefined;
  readonly updated_at?: string | null | undefined;
  readonly updatedAt?: string | null | undefined;
}

/** A comment as a platform lists it. */
export type CommentInput = PostInput;

type LabelInput = string | { readonly name?: string | null | undefined };

/** An issue, or a pull or merge request seen as one. */
export interface IssueInput extends PostInput {
  readonly number: number;
  readonly title: string;
  readonly labels?: readonly LabelInput[] | { readonly nodes: readonly LabelInput[] } | null | undefined;
  /** Number of comments that the platform counts (REST). */
  readonly comments?: number | { readonly totalCount: number } | undefined;
  readonly commentCount?: number | undefined;
}
