/** `#3` is an issue, `!3` a merge request, as GitLab writes them. */
export type SimulatedReference = `#${number}` | `!${number}`;

export type SimulatedAccessLevel = 'guest' | 'planner' | 'reporter' | 'developer' | 'maintainer' | 'owner';

export interface SimulatedGitLabUserSeed {
  readonly username: string;
  readonly name?: string;
  readonly bot?: boolean;
}

export interface SimulatedGitLabTokenSeed {
  readonly token: string;
  readonly username: string;
  /** Default `['api']`. */
  readonly scopes?: readonly SimulatedTokenScope[];
  readonly name?: string;
  /** Day (`2024-05-31`) at whose first moment it ends, in UTC; default null, never. */
  readonly expiresAt?: string | null;
}

/** The token of a project or a group, which a bot of its own uses. */
export type SimulatedAccessTokenSeed = ({ readonly project: string } | { readonly group: string }) & {
  readonly name: string;
  /** Default `['api']`. */
  readonly scopes?: readonly SimulatedTokenScope[];
  /** Role of its bot; default `maintainer`. */
  readonly level?: SimulatedAccessLevel;
  /** Day (`2024-05-31`) at whose first moment it ends, in UTC; default: in 30 days. */
  readonly expiresAt?: string;
};

export type SimulatedTokenScope =
  | 'api'
  | 'read_api'
  | 'read_user'
  | 'read_repository'
  | 'write_repository'
  | 'self_rotate';

export interface SimulatedProjectSeed {
  /** `group/project`, `group/subgroup/project`, or `username/project` in somebody's own namespace. */
  readonly path: string;
  /** Default `private`. */
  readonly visibility?: 'public' | 'internal' | 'private';
  /** Default true. False: it is only listed, and has no git; for many of them. */
  readonly hasGit?: boolean;
  readonly files?: Readonly<Record<string, string>> | null;
  /** Members of the project itself; the owner of a personal namespace needs no mention. */
  readonly members?: Readonly<Record<string, SimulatedAccessLevel>>;
  /** Makes it a fork of this project, with its branches; `files` is ignored. */
  readonly forkOf?: string;
  /** Default true. Without issues their addresses answer 403 or 404. */
  readonly issuesEnabled?: boolean;
  readonly mergeRequestsEnabled?: boolean;
}

export interface SimulatedGitLabIssueSeed {
  readonly project: string;
  readonly author: string;
  readonly title: string;
  readonly description?: string | null;
  readonly labels?: readonly string[];
  /** Username of the one who labels it; default: the creator of the project. */
  readonly labeledBy?: string;
  readonly assignees?: readonly string[];
  readonly confidential?: boolean;
}

export interface SimulatedMergeRequestSeed extends Omit<SimulatedGitLabIssueSeed, 'confidential'> {
  readonly sourceBranch: string;
  readonly targetBranch?: string;
  /** Puts `Draft: ` before the title. */
  readonly draft?: boolean;
  /** Fork that the source branch is in; default: the project itself. */
  readonly sourceProject?: string;
  /** Files committed to the source branch, which is made from the target when it does not exist. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A commit that somebody pushes to a branch. */
export interface SimulatedGitLabPushSeed {
  readonly project: string;
  /** Made from the default branch when it does not exist. */
  readonly branch: string;
  readonly author: string;
  /** Path to text. */
  readonly files: Readonly<Record<string, string>>;
  /** Rewrites the branch: the commit takes the place of its newest one (`amend`), or of all that its base has not (`reset`). */
  readonly force?: 'amend' | 'reset';
}

export interface SimulatedNoteSeed {
  readonly project: string;
  readonly reference: SimulatedReference;
  readonly author: string;
  readonly body: string;
  /** Only for reporters and above; default false. */
  readonly internal?: boolean;
  /** One of GitLab's own notes, which nobody can edit; default false. */
  readonly system?: boolean;
}
