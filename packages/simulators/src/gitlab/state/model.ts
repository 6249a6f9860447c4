/** State of the simulated GitLab. Plain data; the files beside this one change it, the views show it. */

import type { SimulatedTokenScope } from '../seeds.ts';
import type { User } from './account.ts';
import type { CiBook } from './ci-model.ts';
import type { DiffPosition, DiffRefs, ReviewBook } from './review-model.ts';

export type { User } from './account.ts';

/** @see https://docs.gitlab.com/api/access_requests/#valid-access-levels */
export type AccessLevel = 10 | 15 | 20 | 30 | 40 | 50;

/** Home of a token: an account, or the bot of a project or group. */
export type TokenHome =
  | { readonly kind: 'personal' }
  | { readonly kind: 'project'; readonly project: Project; readonly level: AccessLevel }
  | { readonly kind: 'group'; readonly path: string; readonly level: AccessLevel };

export interface Token {
  readonly id: number;
  readonly secret: string;
  readonly name: string;
  readonly user: User;
  readonly scopes: ReadonlySet<SimulatedTokenScope>;
  readonly home: TokenHome;
  readonly createdAt: string;
  /** Tokens that came of one another by rotation share it. */
  readonly family: number;
  /** Day (`2024-05-31`) at whose first moment it ends; null: never. */
  expiresAt: string | null;
  revoked: boolean;
}

export interface Label {
  readonly id: number;
  name: string;
  color: string;
  description: string | null;
}

export interface Award {
  readonly id: number;
  readonly user: User;
  readonly name: string;
  readonly createdAt: string;
}

export interface Note {
  readonly id: number;
  readonly thread: Thread;
  readonly discussion: Discussion;
  readonly author: User;
  readonly system: boolean;
  readonly internal: boolean;
  readonly createdAt: string;
  readonly awards: Map<number, Award>;
  body: string;
  updatedAt: string;
}

/** Notes that belong together: a single one, a thread, or a thread on lines of a diff. */
export interface Discussion {
  /** Forty hexadecimal digits. */
  readonly id: string;
  /** Oldest first. */
  readonly notes: Note[];
  /** A single note becomes a thread with its first answer. */
  kind: 'single' | 'thread' | 'diff';
  readonly original: DiffPosition | null;
  /** Present place of a thread on lines; that of an outdated one is the last that it had. */
  position: DiffPosition | null;
  resolved: { readonly by: User; readonly at: string } | null;
}

/** A change of labels or of the state, which GitLab keeps apart from notes. */
export type ThreadEvent = {
  readonly id: number;
  readonly user: User;
  readonly createdAt: string;
} & (
  | { readonly kind: 'label'; readonly action: 'add' | 'remove'; readonly label: Label }
  | { readonly kind: 'state'; readonly state: 'closed' | 'reopened' | 'merged' }
);

/** Fields that only a merge request has. */
export interface MergePart {
  /** Null when the fork was deleted. */
  sourceProject: Project | null;
  readonly sourceProjectId: number;
  readonly sourceBranch: string;
  targetBranch: string;
  /** Null when the source branch does not exist. */
  headSha: string | null;
  /** Tip of the target branch when it was last looked at; null when there is none. */
  baseSha: string | null;
  /** Versions that it proposed, oldest first. */
  readonly versions: { readonly id: number; readonly refs: DiffRefs; readonly createdAt: string }[];
  readonly reviews: ReviewBook;
  mergedAt: string | null;
  mergedBy: User | null;
  mergeCommitSha: string | null;
  forceRemoveSourceBranch: boolean;
  autoMerge: boolean;
}

/** An issue, or a merge request (`merge` is set); the two are numbered apart. */
export interface Thread {
  readonly id: number;
  readonly iid: number;
  readonly project: Project;
  readonly author: User;
  readonly createdAt: string;
  /** By name: GitLab's labels are unique with regard to case. */
  readonly labels: Map<string, Label>;
  readonly notes: Map<number, Note>;
  /** In the order of their first notes. */
  readonly discussions: Map<string, Discussion>;
  readonly awards: Map<number, Award>;
  readonly events: ThreadEvent[];
  readonly merge: MergePart | null;
  assignees: readonly User[];
  title: string;
  description: string | null;
  state: 'opened' | 'closed' | 'merged';
  confidential: boolean;
  discussionLocked: boolean;
  updatedAt: string;
  closedAt: string | null;
  closedBy: User | null;
}

export interface Project {
  readonly id: number;
  readonly creator: User;
  readonly visibility: 'public' | 'internal' | 'private';
  readonly gitDirectory: string;
  readonly createdAt: string;
  readonly defaultBranch: string;
  readonly forkedFrom: Project | null;
  readonly issuesEnabled: boolean;
  readonly mergeRequestsEnabled: boolean;
  /** Direct members, by lower-case username. */
  readonly members: Map<string, AccessLevel>;
  readonly labels: Map<string, Label>;
  readonly issues: Map<number, Thread>;
  readonly mergeRequests: Map<number, Thread>;
  readonly ci: CiBook;
  /** Branch to the level that may push to it; null: nobody. */
  readonly protectedBranches: Map<string, AccessLevel | null>;
  /** True: the default branch was protected already, as happens once when it comes into being. */
  readonly protectsDefault: { done: boolean };
  nextIid: { issue: number; mergeRequest: number };
  archived: boolean;
  /** False: it is only listed. */
  readonly hasGit: boolean;
  /** `group/subgroup/project`. */
  path: string;
  lastActivityAt: string;
}

export interface State {
  /** By lower-case username. */
  readonly users: Map<string, User>;
  readonly tokens: Map<string, Token>;
  readonly projects: Map<number, Project>;
  /** Files in texts, by project, secret and name. */
  readonly uploads: Map<string, Buffer>;
  /** Earlier paths (lower case) of projects that moved. */
  readonly formerPaths: Map<string, Project>;
  /** Members of groups: lower-case path of the group to lower-case username to level. */
  readonly groups: Map<string, Map<string, AccessLevel>>;
  readonly tier: 'free' | 'premium';
  readonly maxNoteCharacters: number;
  readonly maxCountedRecords: number;
  readonly eventsAsNotes: boolean;
  readonly now: () => number;
  /** Ids ascend across all resources, so that none is ever mistaken for another. */
  nextId: number;
}
