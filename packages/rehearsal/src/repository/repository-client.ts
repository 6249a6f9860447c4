/** Account of the platform. */
export interface PlatformAccount {
  readonly id: string;
  readonly login: string;
}

/** Issue, or pull or merge request, by its number. */
export interface ThreadReference {
  readonly kind: 'issue' | 'request';
  readonly number: number;
}

/** Issue as it is now. */
export interface IssueState {
  readonly number: number;
  readonly url: string;
  readonly body: string;
  readonly isOpen: boolean;
  readonly labels: readonly string[];
  /** Id by which the platform deletes it. */
  readonly nodeId: string;
}

/** Comment as it is now. */
export interface CommentState {
  readonly id: string;
  /** Login of its author; null for a deleted account. */
  readonly author: string | null;
  readonly body: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Pull or merge request as it is now. */
export interface RequestState {
  readonly number: number;
  readonly url: string;
  readonly isDraft: boolean;
  readonly isOpen: boolean;
  /** Newest commit of its branch. */
  readonly head: string;
}

/** Line of a diff that can be commented on. */
export interface DiffLine {
  readonly path: string;
  /** Number of the line in the new file, from 1. */
  readonly line: number;
}

/** Comment on a line of a diff. */
export interface LineComment {
  readonly id: string;
  readonly author: string | null;
  readonly body: string;
  /** Id of the comment that began the conversation; null for that comment itself. */
  readonly replyTo: string | null;
}

/** Opens, reads and lists issues. */
export interface IssueClient {
  readonly open: (text: { readonly title: string; readonly body: string }) => Promise<IssueState>;
  readonly read: (number: number) => Promise<IssueState>;
  /** Lists open issues with this label, oldest first. */
  readonly listOpen: (label: string) => Promise<readonly IssueState[]>;
  /** Finds the issue with this text in its body among the 100 newest open issues; null for none. */
  readonly findOpen: (text: string) => Promise<IssueState | null>;
  readonly addLabel: (number: number, label: string) => Promise<void>;
}

/** Writes comments of its account. */
export interface CommentClient {
  /** Lists all pages, oldest first. */
  readonly list: (thread: ThreadReference) => Promise<readonly CommentState[]>;
  readonly post: (thread: ThreadReference, body: string) => Promise<CommentState>;
  readonly edit: (thread: ThreadReference, id: string, body: string) => Promise<CommentState>;
  /** A comment that is gone is not an error. */
  readonly remove: (thread: ThreadReference, id: string) => Promise<void>;
}

/** Reads reactions. */
export interface ReactionClient {
  /** True if the comment has 👀. */
  readonly isSeen: (thread: ThreadReference, id: string) => Promise<boolean>;
}

/** Reads and reviews pull or merge requests. */
export interface RequestClient {
  /** Finds the newest request of a branch; null for none. */
  readonly find: (branch: string) => Promise<RequestState | null>;
  /** Finds a line of the diff that was added; null for none. */
  readonly findLine: (request: RequestState) => Promise<DiffLine | null>;
  readonly comment: (request: RequestState, at: DiffLine, body: string) => Promise<LineComment>;
  readonly listLineComments: (number: number) => Promise<readonly LineComment[]>;
  /** A comment that is gone is not an error. */
  readonly removeLineComment: (number: number, id: string) => Promise<void>;
}

/** Creates and removes what a rehearsal leaves. Something that is gone is not an error. */
export interface CleanUpClient {
  readonly closeThread: (thread: ThreadReference) => Promise<void>;
  /** Deletes for good. Rejects if the platform or the account cannot. */
  readonly deleteThread: (thread: ThreadReference, nodeId: string) => Promise<void>;
  readonly deleteBranch: (branch: string) => Promise<void>;
  readonly deleteLabel: (label: string) => Promise<void>;
  /** True for a label that a rehearsal created, by its description. */
  readonly isOwnLabel: (label: string) => Promise<boolean>;
}

/** Issue as a page proposes it. */
export interface ProposedIssue {
  readonly title: string;
  readonly body: string;
  readonly label: string;
}

/** Pages of the repository in the browser. */
export interface RepositoryPages {
  /** Page on which a user opens this issue. GitLab proposes no label. */
  readonly newIssue: (issue: ProposedIssue) => string;
  readonly branch: (branch: string) => string;
  readonly label: (label: string) => string;
  /** Open issues with this text. */
  readonly issues: (text: string) => string;
}

/** What an account can do in the repository, as the platform reports it. */
export interface RepositoryAccess {
  /** True if it can push, which makes it trusted by default. */
  readonly canWrite: boolean;
}

/** Answers of the platform that say something about the platform itself. */
export interface ProbeClient {
  readonly whoAmI: () => Promise<PlatformAccount>;
  readonly readAccess: () => Promise<RepositoryAccess>;
  /** Creates a label. False if it exists. */
  readonly createLabel: (label: string) => Promise<boolean>;
  /** False if the server does not have the list of all comments of the repository, from which the daemon takes new comments. */
  readonly listsComments: () => Promise<boolean>;
  /** Sends a list of comments with one entry per page, and again with its `ETag`. */
  readonly probeList: (thread: ThreadReference) => Promise<ListProbe>;
}

/** Facts about one answer with a list. */
export interface ListProbe {
  /** True if the answer names the next page. */
  readonly hasNextPage: boolean;
  /** Status of a conditional request for the same list; null if the answer has no `ETag`. */
  readonly conditionalStatus: number | null;
  /** Milliseconds since 1970 by the `Date` header; null without one. */
  readonly serverTime: number | null;
  /** True if the answer has the numbers of a rate limit. */
  readonly hasRateLimit: boolean;
}

/** One account at work in one repository. */
export interface RepositoryClient {
  readonly issues: IssueClient;
  readonly comments: CommentClient;
  readonly reactions: ReactionClient;
  readonly requests: RequestClient;
  readonly removeCreated: CleanUpClient;
  readonly pages: RepositoryPages;
  readonly probe: ProbeClient;
}

/** Options of a client. */
export interface RepositoryClientOptions {
  /** Address of the API, as the configuration names it. */
  readonly baseUrl: string;
  /** `owner/name` */
  readonly repository: string;
  readonly token: () => Promise<string>;
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds for one answer. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}
