import type { CallOptions } from './call-options.ts';
import type { ChangeRequests } from './change-request-ports.ts';
import type {
  Account,
  Comment,
  CommentEdit,
  CommentListing,
  CommentReaction,
  EnsuredComment,
  GivenReaction,
  LabelEvent,
  OwnComment,
  RepositoryDescription,
  RepositoryListing,
  RequestRecord,
  Thread,
  ThreadEdit,
  ThreadParent,
} from './model.ts';

export type { CallOptions } from './call-options.ts';
export type { ChangeRequestDraft, ChangeRequests, ReviewRequest } from './change-request-ports.ts';

import type { PlatformError } from './platform-error.ts';
import type { TaskKey } from './task-key.ts';

/** Which threads are asked for; the conditions add up. */
export interface TaskQuery extends CallOptions {
  /** Only threads that carry this label; null for any. */
  readonly label: string | null;
  /** Only threads assigned to this login; null for any. */
  readonly assignee: string | null;
  readonly state: 'open' | 'closed' | 'all';
  /** Only threads that changed at this time (ISO 8601) or later; null, the default, for any. Adapters may list more. */
  readonly changedSince?: string | null | undefined;
  /** Times that count instead of `changedSince` in places, as the configuration names them. Adapters may ignore it. */
  readonly changedSinceIn?: Readonly<Record<string, string>> | undefined;
}

/** A thread that may be a task, as a listing shows it. */
export interface TaskSummary {
  readonly key: TaskKey;
  readonly number: number;
  readonly title: string;
  readonly labels: readonly string[];
  readonly author: Account | null;
  readonly url: string;
  readonly updatedAt: string;
}

/** A repository or project that could not be asked, while others could. */
export interface PlaceFailure {
  /** As the configuration names it: `owner/repo`. */
  readonly place: string;
  readonly error: PlatformError;
}

/** One look for work. */
export interface TaskListing {
  /** All matching threads of every repository that answered, oldest first, all pages. */
  readonly tasks: readonly TaskSummary[];
  /** The repositories that did not answer, and why. */
  readonly failures: readonly PlaceFailure[];
}

/** Finds work. */
export interface TaskFinder {
  /** Rejects where no repository could be asked: the credential is refused, or the platform does not answer. */
  readonly listTasks: (query: TaskQuery) => Promise<TaskListing>;
}

/** Says who we are. */
export interface Identity {
  readonly whoAmI: (options?: CallOptions) => Promise<Account>;
}

/** Finds accounts by the names that people know them by. */
export interface AccountFinder {
  /** The account with this login, whatever its case; null when there is none. */
  readonly findAccount: (login: string, options?: CallOptions) => Promise<Account | null>;
}

/** Reads one thread. */
export interface ThreadReader {
  readonly readThread: (options?: CallOptions) => Promise<Thread>;
  /** Reads one comment; null only for a 404 or 410 of it while the thread is shown. Optional for adapters. */
  readonly getComment?: ((id: string, options?: CallOptions) => Promise<Comment | null>) | undefined;
  /** Reads the issue of the same repository that this one is a part of; null if none can be read. Optional for adapters. */
  readonly readParent?: ((options?: CallOptions) => Promise<ThreadParent | null>) | undefined;
}

/** Options of a poll of a thread's comments. */
export interface ListCommentsOptions extends CallOptions {
  /** Cursor of an earlier listing; null for the whole thread. */
  readonly since: string | null;
  /** True where the answer must come from a request that begins after this call; who asks at each poll may ignore it. */
  readonly fresh?: boolean | undefined;
}

/**
 * Polls one thread's comments. With `since: null` it lists the whole thread; with a cursor of an earlier
 * listing it may answer only what was created or edited since (equal timestamps repeat).
 */
export interface CommentSource {
  readonly listComments: (options: ListCommentsOptions) => Promise<CommentListing>;
}

/**
 * Polls what changed on all threads of one repository together. It remembers where it stands: the first poll says
 * only that it has begun, each later one what changed since (equal timestamps repeat).
 */
export interface RepositoryChanges {
  readonly listChanges: (options?: CallOptions) => Promise<RepositoryListing>;
}

/** The comment of ours that should be there. */
export interface WantedComment extends CallOptions {
  readonly topic: string;
  readonly body: string;
  /** Line under the marker, which readers do not see: letters, digits and `=:;,._ -`, without "--". Default none. */
  readonly note?: string | undefined;
  /**
   * True where only those may read it who read internal notes; a platform without such notes has none to answer to. One
   * that everybody reads is then left as it is, and another one written. Default false.
   */
  readonly internal?: boolean | undefined;
  /** Platform's time (ISO 8601) before which no comment on this topic was written: nothing older need be read. Default null. */
  readonly since?: string | null | undefined;
  /** True if a process that crashed within the last minute may have written it: a new comment is then looked for again. Default false. */
  readonly mayExist?: boolean | undefined;
}

/** Writes our own comments. */
export interface CommentWriter {
  /** Makes the thread carry one comment of ours on this topic, with this body, found by a hidden marker. Repeating it is safe. Of two, the younger goes. */
  readonly ensureComment: (comment: WantedComment) => Promise<EnsuredComment>;
}

/** A comment of ours that is there, and what it should say. */
export interface KnownComment extends Pick<WantedComment, 'topic' | 'body' | 'note' | 'signal'> {
  readonly id: string;
}

/** Reads, edits and removes our own comments. It makes none. */
export interface OwnComments {
  /**
   * Lists our own comments that carry a topic, oldest first, read anew. Of several with one topic and one audience only the
   * oldest stays; the younger are removed, and one that could not be removed is listed. With `since`, what changed since is enough.
   */
  readonly list: (options?: Pick<WantedComment, 'since' | 'signal'>) => Promise<readonly OwnComment[]>;
  /** Brings the comment with this id up to date, and nothing else: where it is `gone`, none is looked for and none is made. */
  readonly edit: (comment: KnownComment) => Promise<'updated' | 'unchanged' | 'gone'>;
  /** Removing one that is not there is not an error. */
  readonly remove: (id: string, options?: CallOptions) => Promise<void>;
}

/** Changes our own labels, one at a time, never the whole list. */
export interface LabelEditor {
  /** Creates the label in the repository when it is missing. Adding one that is there is not an error. */
  readonly addLabel: (name: string, options?: CallOptions) => Promise<void>;
  /** Removing one that is not there is not an error. */
  readonly removeLabel: (name: string, options?: CallOptions) => Promise<void>;
}

/** Puts reactions of our own account on comments. */
export interface ReactionWriter {
  /**
   * Makes the comment carry this reaction of ours, beside other people's. Repeating it is safe. Rejects with
   * `not-found` when the comment was deleted. Not worth waiting for: rejects where a rate limit would have to pass.
   */
  readonly ensureReaction: (reaction: CommentReaction & CallOptions) => Promise<void>;
  /**
   * Lists the reactions with this meaning on a comment of the conversation, oldest first, ours included. Rejects with `not-found`
   * when the comment was deleted. Optional for adapters: without it no reaction approves anything.
   */
  readonly listReactions?:
    | ((of: CommentReaction & CallOptions) => Promise<readonly GivenReaction[]>)
    | undefined;
}

/** Options of a question for the last event of a kind. */
export interface EventOptions extends CallOptions {
  /** Time (ISO 8601) before the event since which changes are listed as well; null, the default, for those since the event. */
  readonly since?: string | null | undefined;
}

/** Says who gave a thread a label. */
export interface LabelEventReader {
  /**
   * The last time that this label was put on the thread, and what has changed there since; null where the platform knows of
   * none. Case counts as it does for the platform's labels.
   */
  readonly lastLabeled: (name: string, options?: EventOptions) => Promise<LabelEvent | null>;
}

/** Says who assigned an account to a thread or reopened it, and what has changed there. */
export interface ThreadHistory {
  /** The last time that this account was assigned, and what has changed since; null where the platform knows of none. */
  readonly lastAssigned: (account: Account, options?: EventOptions) => Promise<LabelEvent | null>;
  /** The last time that the thread was reopened; null if it never was. Optional: without it, reopening a thread resumes no task. */
  readonly lastReopened?: ((options?: EventOptions) => Promise<LabelEvent | null>) | undefined;
  /** Changes of title, text and head at this time (ISO 8601) or later. */
  readonly listEdits: (options: { readonly since: string } & CallOptions) => Promise<readonly ThreadEdit[]>;
  /** Finds who edited a comment last; null where nobody did. Optional for platforms that do not say. */
  readonly lastCommentEdit?:
    | ((commentId: string, options?: CallOptions) => Promise<CommentEdit | null>)
    | undefined;
}

/** Changes the assignment of one account; the others stay. */
export interface AssigneeEditor {
  /** Assigning one that is assigned is not an error. */
  readonly assign: (account: Account, options?: CallOptions) => Promise<void>;
  /** Taking one off that is not assigned is not an error. */
  readonly unassign: (account: Account, options?: CallOptions) => Promise<void>;
}

/** Rights of an account in a repository; each level includes those before it. */
export type AccessLevel = 'none' | 'read' | 'write' | 'admin';

/** Says what an account may do in the thread's repository. */
export interface PermissionReader {
  /** Asks the platform; an account that it does not know has 'none'. */
  readonly accessOf: (account: Account, options?: CallOptions) => Promise<AccessLevel>;
}

interface RefOptions extends CallOptions {
  readonly ref?: string | undefined;
}

/** Reads the repository that a thread belongs to. */
export interface RepositoryReader {
  readonly describe: (options?: CallOptions) => Promise<RepositoryDescription>;
  /** Paths of all files at a branch, tag or commit (default: the default branch), sorted. */
  readonly listFiles: (options?: RefOptions) => Promise<readonly string[]>;
  /** Text of a file. Rejects with `not-found`, or `invalid` when it is not text. */
  readonly readFile: (path: string, options?: RefOptions) => Promise<string>;
  /** Issues and pull requests of this repository that match the words, best match first, at most 20. */
  readonly searchThreads: (query: string, options?: CallOptions) => Promise<readonly TaskSummary[]>;
}

/** Everything about one thread, by role. All but the first three are null where a platform has no such thing. */
export interface PlatformThread {
  readonly key: TaskKey;
  readonly reader: ThreadReader;
  readonly comments: CommentSource;
  readonly writer: CommentWriter;
  /** Optional for adapters: without it no comment is taken back, and two agents of one account are not kept apart. */
  readonly ownComments?: OwnComments | null | undefined;
  readonly reactions: ReactionWriter | null;
  readonly labels: LabelEditor | null;
  readonly labelEvents: LabelEventReader | null;
  readonly permissions: PermissionReader | null;
  readonly repository: RepositoryReader | null;
  readonly changeRequests: ChangeRequests | null;
  /** Optional for adapters: without it nobody can give a thread by a mention, nor say who assigned one to the agent. */
  readonly history?: ThreadHistory | null | undefined;
  /** Optional for adapters: without it nobody can give a thread by assigning it. */
  readonly assignees?: AssigneeEditor | null | undefined;
}

/** Options of one thread. */
export interface OpenThreadOptions {
  /** Told of every request made for this thread, cached answers (304) included. */
  readonly onRequest?: ((record: RequestRecord) => void) | undefined;
}
