/** Something that a webhook of GitHub's tells of. `repo` is `owner/name`; `sha` a commit, whose newest check of that name is told of. */
export type SimulatedHappening = RepositoryHappening | AccountHappening;

/** Something about a repository. With `installation` it is told to the webhook of an app, which names the installation. */
export type RepositoryHappening = { readonly repo: string; readonly installation?: number } & (
  | { readonly event: 'ping' }
  | {
      readonly event: 'issue_comment';
      readonly action: 'created' | 'edited' | 'deleted';
      /** A comment that is there: compose what tells of its deletion before it is deleted. */
      readonly commentId: number;
    }
  | {
      readonly event: 'issues' | 'pull_request';
      readonly action:
        | 'opened'
        | 'labeled'
        | 'unlabeled'
        | 'edited'
        | 'closed'
        | 'reopened'
        | 'synchronize'
        | 'ready_for_review'
        | 'converted_to_draft';
      readonly number: number;
      /** The one that was put on or taken off. */
      readonly label?: string;
      /** Head before the push, for `synchronize`. */
      readonly before?: string;
    }
  | ReviewHappening
  | CheckHappening
);

/** Something about a review, a comment on a line, or the thread of that comment. */
export type ReviewHappening =
  | {
      readonly event: 'pull_request_review';
      readonly action: 'submitted' | 'edited' | 'dismissed';
      readonly number: number;
      readonly reviewId: number;
    }
  | {
      readonly event: 'pull_request_review_comment';
      readonly action: 'created' | 'edited' | 'deleted';
      readonly commentId: number;
    }
  | {
      readonly event: 'pull_request_review_thread';
      readonly action: 'resolved' | 'unresolved';
      readonly commentId: number;
    };

/** Something about the checks of a commit. */
export type CheckHappening =
  | {
      readonly event: 'check_run';
      readonly action: 'created' | 'completed' | 'rerequested';
      readonly sha: string;
      readonly name: string;
    }
  | {
      readonly event: 'check_suite';
      readonly action: 'requested' | 'completed' | 'rerequested';
      readonly sha: string;
    }
  | { readonly event: 'status'; readonly sha: string; readonly context: string }
  | {
      readonly event: 'workflow_run';
      readonly action: 'requested' | 'in_progress' | 'completed';
      readonly sha: string;
    };

/** Something about an app on an account, told to the app alone. */
export type AccountHappening =
  | {
      readonly event: 'installation';
      readonly action: 'created' | 'deleted' | 'suspend' | 'unsuspend' | 'new_permissions_accepted';
      /** One that is there: compose what tells of its end before it is uninstalled. */
      readonly installation: number;
    }
  | {
      readonly event: 'installation_repositories';
      readonly action: 'added' | 'removed';
      readonly installation: number;
      readonly repositories: readonly string[];
    };
