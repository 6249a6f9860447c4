/** Somebody to sign up; `type` defaults to `User`. */
export interface SimulatedUserSeed {
  readonly login: string;
  readonly name?: string;
  readonly type?: 'User' | 'Bot' | 'Organization';
}

/** A token of a user who has signed up: fine-grained with `permissions`, classic with the scope `repo` without. */
export interface SimulatedTokenSeed {
  readonly token: string;
  readonly login: string;
  /** Fine-grained permissions; a missing one is `write`. 'none' gives 403 "Resource not accessible…" as GitHub does. */
  readonly permissions?: Readonly<
    Partial<
      Record<
        'issues' | 'pull_requests' | 'contents' | 'statuses' | 'actions' | 'workflows',
        'none' | 'read' | 'write'
      >
    >
  >;
  /** Repositories (`owner/name`) that it is for; default: all. */
  readonly repositories?: readonly string[];
  /** Milliseconds since the epoch at which it ends; default: never. */
  readonly expiresAt?: number;
}

/** A repository to make. Its owner and collaborators have signed up before. */
export interface SimulatedRepositorySeed {
  readonly owner: string;
  readonly name: string;
  readonly private?: boolean;
  /** Path to text, committed to `main`; null for no commit at all. Default: a README.md. */
  readonly files?: Readonly<Record<string, string>> | null;
  /** Login to permission; the owner has admin. Others: none (private) or read (public). */
  readonly collaborators?: Readonly<Record<string, 'read' | 'triage' | 'write' | 'maintain' | 'admin'>>;
  /** Makes it a fork of this repository (`owner/name`), with its branches; `files` is ignored. */
  readonly forkOf?: string;
  /** Default true, for a fork false. Without issues their addresses answer 410. */
  readonly hasIssues?: boolean;
  /** Default true. False: it is only listed, and has no git; for many of them. */
  readonly hasGit?: boolean;
  /** Default true. False: draft pull requests get 422, as in private repositories of free plans. */
  readonly allowsDrafts?: boolean;
}

/** An issue that somebody opens. Assignees need access to the repository, or to have written on the thread. */
export interface SimulatedIssueSeed {
  readonly repo: string;
  readonly author: string;
  readonly title: string;
  readonly body?: string | null;
  readonly labels?: readonly string[];
  /** Login of the one who labels it; default: the owner of the repository. */
  readonly labeledBy?: string;
  readonly assignees?: readonly string[];
}

/** A pull request that somebody with write access to its head opens. */
export interface SimulatedPullRequestSeed extends SimulatedIssueSeed {
  readonly headBranch: string;
  readonly baseBranch?: string;
  readonly draft?: boolean;
  /** Fork that the head branch is in (`owner/name`); default: the repository itself. */
  readonly headRepository?: string;
  /** Files committed to the head branch, which is made from the base when it does not exist. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A comment that somebody writes on an issue or a pull request. */
export interface SimulatedCommentSeed {
  readonly repo: string;
  readonly number: number;
  readonly author: string;
  readonly body: string;
}

/** A commit that somebody pushes to a branch. */
export interface SimulatedPushSeed {
  readonly repo: string;
  /** Made from the default branch when it does not exist. */
  readonly branch: string;
  readonly author: string;
  /** Path to text. */
  readonly files: Readonly<Record<string, string>>;
  /** Rewrites the branch: the commit takes the place of its newest one (`amend`), or of all that its base has not (`reset`). */
  readonly force?: 'amend' | 'reset';
}
