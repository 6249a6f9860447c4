import type { Reaction, TokenPermissions, User } from './account.ts';
import type { App, Installation, PendingManifest } from './app-model.ts';
import type { CheckBook } from './check-model.ts';
import type { Review, ReviewThread } from './review-model.ts';

/** State of the simulated GitHub. Plain data; the files beside this one change it, the views show it. */

export type { Reaction, ReactionContent, TokenLevel, TokenScope, User } from './account.ts';

export type Role = 'read' | 'triage' | 'write' | 'maintain' | 'admin';

export interface Token {
  readonly secret: string;
  /** An app's account for the tokens of its installations. */
  readonly user: User;
  readonly kind: 'classic' | 'fine-grained' | 'installation';
  readonly permissions: TokenPermissions;
  /** Ids of the repositories that it is for; null for all of its account. */
  readonly repositoryIds: ReadonlySet<number> | null;
  /** Milliseconds since the epoch; null for one that does not end. */
  readonly expiresAt: number | null;
  /** Installation that it was made for; null for the tokens of people. */
  readonly installation: Installation | null;
}

/** File that somebody dropped into a text. */
export interface Upload {
  readonly repository: Repository;
  readonly content: Buffer;
}

export interface Label {
  readonly id: number;
  readonly isDefault: boolean;
  name: string;
  color: string;
  description: string | null;
}

export interface Comment {
  readonly id: number;
  readonly thread: Thread;
  readonly author: User;
  readonly createdAt: string;
  readonly reactions: Map<number, Reaction>;
  body: string;
  updatedAt: string;
  /** Who changed the text last, and when; null where nobody did. */
  lastEdit: { readonly editor: User; readonly editedAt: string } | null;
  /** Reason for which a maintainer has hidden it; null for a visible one. */
  minimizedReason: string | null;
}

/** The half of a pull request that an issue does not have. */
export interface Pull {
  /** A pull request has an id of its own beside that of its issue. */
  readonly id: number;
  /** Null when the fork was deleted. */
  headRepository: Repository | null;
  readonly headOwner: User;
  readonly headBranch: string;
  baseBranch: string;
  draft: boolean;
  headSha: string;
  baseSha: string;
  mergedAt: string | null;
  mergedBy: User | null;
  mergeCommitSha: string | null;
  maintainerCanModify: boolean;
  isInMergeQueue: boolean;
  /** When its head or base last moved, in milliseconds since the epoch. */
  movedAt: number;
  /** Accounts from which a review is requested. */
  readonly requestedReviewers: Set<User>;
  /** By id, oldest first. */
  readonly reviews: Map<number, Review>;
  readonly reviewThreads: Map<number, ReviewThread>;
}

/** An event in the timeline of a thread. */
export type ThreadEvent = {
  readonly id: number;
  readonly actor: User;
  readonly createdAt: string;
} & (
  | { readonly kind: 'labeled' | 'unlabeled'; readonly label: string }
  | { readonly kind: 'assigned'; readonly assignee: User }
  | { readonly kind: 'reopened' }
  | { readonly kind: 'renamed'; readonly from: string; readonly to: string }
);

/** A branch that somebody moved, made or deleted (`after` is nothing but zeros). */
export interface Activity {
  readonly id: number;
  readonly ref: string;
  readonly before: string;
  readonly after: string;
  readonly actor: User;
  readonly timestamp: string;
}

/** An issue, or a pull request, which is an issue with a `pull`. */
export interface Thread {
  readonly id: number;
  readonly number: number;
  readonly repository: Repository;
  readonly author: User;
  readonly createdAt: string;
  readonly labels: Map<string, Label>;
  readonly assignees: Map<string, User>;
  readonly comments: Map<number, Comment>;
  readonly reactions: Map<number, Reaction>;
  /** Oldest first. */
  readonly events: ThreadEvent[];
  /** Edits of the body, oldest first. */
  /** Issue that this one is a sub-issue of. */
  parent: Thread | null;
  readonly bodyEdits: { readonly editor: User; readonly editedAt: string }[];
  readonly pull: Pull | null;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  stateReason: 'completed' | 'not_planned' | 'duplicate' | 'reopened' | null;
  updatedAt: string;
  closedAt: string | null;
  closedBy: User | null;
  locked: boolean;
}

export interface Repository {
  readonly id: number;
  owner: User;
  name: string;
  readonly private: boolean;
  readonly hasIssues: boolean;
  readonly allowsDrafts: boolean;
  readonly fork: { readonly parent: Repository } | null;
  gitDirectory: string;
  archived: boolean;
  disabled: boolean;
  readonly createdAt: string;
  defaultBranch: string;
  /** By lower-case login. The owner is not among them. */
  readonly collaborators: Map<string, Role>;
  /** By lower-case name: GitHub's labels are unique without regard to case. */
  readonly labels: Map<string, Label>;
  readonly threads: Map<number, Thread>;
  readonly deletedThreads: Set<number>;
  /** Issues by the numbers that they had here before they were transferred. */
  readonly transferredThreads: Map<number, Thread>;
  /** By id, ascending, as they were made. */
  readonly comments: Map<number, Comment>;
  readonly checks: CheckBook;
  /** Accounts of the apps that are installed on it. */
  readonly bots: Set<User>;
  readonly protectedBranches: Set<string>;
  /** Rules for the branches that match a pattern, as in a shell; null for none. */
  ruleset: { readonly branches: string; readonly rules: readonly string[] } | null;
  /** Oldest first. */
  readonly activity: Activity[];
  nextNumber: number;
  updatedAt: string;
  pushedAt: string;
}

export interface State {
  /** By lower-case login. */
  readonly users: Map<string, User>;
  readonly tokens: Map<string, Token>;
  /** By id, oldest first. */
  readonly apps: Map<number, App>;
  readonly installations: Map<number, Installation>;
  /** By their codes. */
  readonly manifests: Map<string, PendingManifest>;
  /** By lower-case `owner/name`. */
  /** By the uuid in their addresses. */
  readonly uploads: Map<string, Upload>;
  readonly repositories: Map<string, Repository>;
  /** Earlier names (lower case) of repositories that moved. */
  readonly formerNames: Map<string, Repository>;
  readonly maxBodyCharacters: number;
  readonly maxTreeEntries: number;
  /** Milliseconds in which it is not known yet whether a pull request can be merged. */
  readonly mergeabilityMs: number;
  readonly now: () => number;
  /** Ids ascend across all resources, so that none is ever mistaken for another. */
  nextId: number;
}
