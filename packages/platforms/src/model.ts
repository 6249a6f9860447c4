import type { TaskKey } from './task-key.ts';

/** An account on a platform. `id` is the platform's own number as text: names change, ids do not. */
export interface Account {
  readonly id: string;
  readonly login: string;
  readonly kind: 'person' | 'bot';
}

/** Authority of an account on a thread: its words are instructions (`trusted`), or only read. */
export type Authority = 'trusted' | 'untrusted';

/** Authority as it was found; `unknown` if the platform could not be asked. */
export type ObservedAuthority = Authority | 'unknown';

/** The issue, pull request or merge request itself: everything but its comments. */
export interface Thread {
  readonly key: TaskKey;
  /** The platform's global id of the thread (not its number), as text. */
  readonly id: string;
  /** Number that people call it by: 42. */
  readonly number: number;
  readonly title: string;
  /** Empty when nothing was written. */
  readonly body: string;
  /** Null when the account was deleted. */
  readonly author: Account | null;
  readonly labels: readonly string[];
  readonly assignees: readonly Account[];
  readonly state: 'open' | 'closed';
  /** All comments of the conversation, as the platform counts them. */
  readonly commentCount: number;
  /** ISO 8601, as received. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The page that people open. */
  readonly url: string;
  /** True where fewer people read it than read the repository's other threads (GitLab): it is never told of where those read. */
  readonly confidential: boolean;
  /** Present where the thread is itself a pull or merge request. */
  readonly changeRequest: ChangeRequest | null;
}

/** Issue that an issue is a part of. */
export type ThreadParent = Pick<Thread, 'number' | 'title' | 'body' | 'author' | 'url'>;

/** One comment of a thread, or of a review or check of its change request; never a system note. */
export interface Comment {
  /** Begins with the subject's kind where there is one (`line-17`), so that ids of several lists of a platform never meet. */
  readonly id: string;
  /** Null when the account was deleted. */
  readonly author: Account | null;
  readonly body: string;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  readonly url: string | null;
  /** Internal ones (GitLab) are for members only: what they say is never copied to where others read. */
  readonly visibility: 'public' | 'internal';
  /** Null for the conversation, which is most of what people write. */
  readonly subject: CommentSubject | null;
}

/** Meaning that a reaction of ours gives to a comment; every platform has an emoji of its own for it. */
export type ReactionMeaning = 'seen' | 'done' | 'refused';

/** Reaction with one meaning to one comment. */
export interface CommentReaction {
  readonly commentId: string;
  readonly meaning: ReactionMeaning;
}

/** Account that reacted to a comment. */
export interface GivenReaction {
  /** Null when the account was deleted. */
  readonly by: Account | null;
  /** ISO 8601, by the platform's clock. */
  readonly at: string;
}

/** Subject of a comment that is not simply part of the conversation. */
export type CommentSubject = LineSubject | ReviewSubject | CheckSubject;

/** Lines of a changed file. */
export interface LineSubject {
  readonly kind: 'line';
  readonly path: string;
  /** As the lines stand now, else as they stood when the comment was written; null for one on the whole file. */
  readonly firstLine: number | null;
  /** The same as `firstLine` for a comment on one line. */
  readonly lastLine: number | null;
  /** `old` for lines that the change takes away. */
  readonly side: 'old' | 'new';
  /** The part of the diff that it was written under; null where the platform shows none. */
  readonly hunk: string | null;
  /** Commit that the lines are counted in. */
  readonly commit: string | null;
  /** True where the lines have changed since. */
  readonly outdated: boolean;
  /** Null where the listing does not say: `ReviewThreads.list` does. */
  readonly resolved: boolean | null;
  /** The thread of comments that it is part of: see `ReviewThread.id`. */
  readonly reviewThread: string;
}

/** A review as a whole. Its text says the state, too, so that a review that is dismissed is an edited one. */
export interface ReviewSubject {
  readonly kind: 'review';
  readonly state: 'approved' | 'changes-requested' | 'commented' | 'dismissed';
  /** Head that was reviewed. */
  readonly commit: string | null;
}

/** A check that has ended. A rerun on the same head edits the comment; another head has comments of its own. */
export interface CheckSubject {
  readonly kind: 'check';
  /** Null where it stands for all checks together. */
  readonly name: string | null;
  readonly conclusion: CheckConclusion;
  /** Commit that was checked. */
  readonly head: string;
  readonly url: string | null;
  /** Counts from 1; a rerun is the second. */
  readonly attempt: number;
  /** True where it has both failed and passed on this head. */
  readonly flaky: boolean;
}

/** Result of a check that has ended. */
export type CheckConclusion =
  | 'success'
  | 'failure'
  | 'timed-out'
  | 'action-required'
  | 'cancelled'
  | 'neutral'
  | 'skipped'
  | 'stale';

/** A comment of ours that carries a topic. */
export interface OwnComment extends Comment {
  readonly topic: string;
  /** Line under the marker that readers do not see; null where there is none. */
  readonly note: string | null;
}

/** One poll of a thread's comments. */
export interface CommentListing<Listed = Comment> {
  /** Ascending: by creation time, then id. */
  readonly comments: readonly Listed[];
  /** True where `comments` is the whole thread, false where it is only what changed since the cursor. */
  readonly complete: boolean;
  /** Pass it as `since` at the next poll. Null until the platform has shown a comment. */
  readonly cursor: string | null;
  /**
   * True when nothing changed since this source's own last poll with the same `since` (GitHub: HTTP 304);
   * `comments` is then empty and `complete` false. A second reader opens the thread again.
   */
  readonly unchanged: boolean;
}

/** A sign of life of one thread of a repository. */
export interface ThreadChange {
  /** Which thread: see `toThreadName`. */
  readonly thread: string;
  /** The comment as it stands; null where the platform says only that something on the thread changed. */
  readonly comment: Comment | null;
}

/** One poll of all threads of a repository. */
export interface RepositoryListing {
  readonly changes: readonly ThreadChange[];
  /** Every comment that was created or edited at this time or later, and still stands, is listed. Null: no such promise. */
  readonly since: string | null;
  /** True when nothing changed since the last poll; `changes` is then empty. */
  readonly unchanged: boolean;
}

/** A pull request (GitHub) or merge request (GitLab). */
export interface ChangeRequest {
  readonly number: number;
  readonly url: string;
  readonly state: 'open' | 'closed' | 'merged';
  readonly draft: boolean;
  readonly title: string;
  readonly headBranch: string;
  readonly headSha: string;
  readonly baseBranch: string;
  /** True where the head branch lies in another repository than the thread, which may be deleted or closed to us. */
  readonly fromFork: boolean;
  /** True where it conflicts with its base, null while the platform finds that out; left out where it is not said, as in lists. */
  readonly conflicts?: boolean | null | undefined;
  /** True where a user has queued it, so that the platform merges it by itself; left out where that is not shown. */
  readonly mergeQueued?: boolean | undefined;
}

/** A repository, before anything is read from it. */
export interface RepositoryDescription {
  /** The platform's own number as text: paths change and are used again, ids are not. */
  readonly id: string;
  /** `owner/repo`, in the platform's own spelling. */
  readonly path: string;
  readonly defaultBranch: string;
  /** HTTPS address for git, without credentials. */
  readonly cloneUrl: string;
  /** True where its members alone may read it; what every account of a server reads (GitLab's `internal`) is not private. */
  readonly private: boolean;
  /**
   * True where threads can be hidden from the agent's account although it reads the repository: a thread that is not found need not have been
   * deleted. Default: false.
   */
  readonly hidesThreads?: boolean | undefined;
}

/** A branch and the commit that it points to. */
export interface Branch {
  readonly name: string;
  readonly sha: string;
}

/** Reasons not to push to a branch. */
export interface BranchUse {
  /** True if the platform lists it as protected, for any account. */
  readonly protected: boolean;
  /** Numbers of open change requests that go into it. */
  readonly baseOf: readonly number[];
}

/** A change of a thread's title or text, or of the commit that a change request proposes. */
export interface ThreadEdit {
  readonly part: 'title' | 'body' | 'head';
  /** Null where the platform does not say who made it, or the account was deleted. */
  readonly actor: Account | null;
  /** ISO 8601, as received. */
  readonly at: string;
}

/** A change of a comment's text. */
export type CommentEdit = Pick<ThreadEdit, 'actor' | 'at'>;

/** A label on a thread, with the account that added it. */
export interface LabelEvent {
  /** Null where the platform does not say who did, or the account was deleted. */
  readonly actor: Account | null;
  /** ISO 8601, as received. */
  readonly at: string;
  /**
   * Edits that cannot be shown to be older than the label, in no order. Changes of the head that only people with write
   * permission in the repository can make may be left out.
   */
  readonly editsSince: readonly ThreadEdit[];
}

/** One request that an adapter made, for accounting. */
export interface RequestRecord {
  readonly method: string;
  /** The route with its placeholders: `GET /repos/{owner}/{repo}/issues/{issue_number}/comments`. */
  readonly route: string;
  /** HTTP status; null when no answer came. */
  readonly status: number | null;
  /** True where it counts against the primary rate limit (a 304 does not). */
  readonly counted: boolean;
  /** Limits of the credential, as the answer told them; left out where it told none. */
  readonly limits?: {
    /** `resetAt` in milliseconds since the epoch, by the platform's clock. */
    readonly primary: { readonly limit: number; readonly remaining: number; readonly resetAt: number } | null;
    /** Milliseconds that the platform asked to stay away. */
    readonly retryAfterMs: number | null;
  };
}

/**
 * Tells whether two accounts are one: by numeric id where both have one, else by login, whatever its case and with or
 * without `[bot]` (REST writes it, GraphQL does not).
 */
export function isSameAccount(one: Account | null, other: Account | null): boolean {
  if (one === null || other === null) return false;
  if (one.id !== '' && other.id !== '') return one.id === other.id;
  return plainLogin(one.login) === plainLogin(other.login);
}

const plainLogin = (login: string) => login.toLowerCase().replace(/\[bot\]$/u, '');

/** Our comment, and what had to be done for it. */
export interface EnsuredComment {
  readonly id: string;
  readonly url: string | null;
  readonly change: 'created' | 'updated' | 'unchanged';
}
