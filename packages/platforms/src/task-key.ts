/**
 * Names one thread on one host, as the seeds do: the four kinds of GitHub and GitLab, and a fifth form for
 * trackers that an adapter of your own brings.
 *
 * The canonical text (`github_issue:owner:repo:42`) is what history is filed under, so it never changes for a
 * thread. The host is kept beside it, not inside it.
 *
 * @see seed 002 §3.3.2 (the four formats)
 */
export type TaskKey = GitHubTaskKey | GitLabIssueKey | GitLabMergeRequestKey | CustomTaskKey;

/** An issue or pull request: `github_issue:{owner}:{repo}:{number}`. */
export interface GitHubTaskKey {
  readonly type: 'github_issue' | 'github_pull_request';
  readonly owner: string;
  readonly repo: string;
  readonly number: number;
}

/** `gitlab_issue:{project_id}:{issue_iid}` */
export interface GitLabIssueKey {
  readonly type: 'gitlab_issue';
  readonly projectId: string;
  readonly issueIid: number;
}

/** `gitlab_merge_request:{project_id}:{mr_iid}` */
export interface GitLabMergeRequestKey {
  readonly type: 'gitlab_merge_request';
  readonly projectId: string;
  readonly mrIid: number;
}

/** A thread of a platform that a custom adapter brings. All three parts are free text. */
export interface CustomTaskKey {
  readonly type: 'custom';
  readonly platform: string;
  readonly project: string;
  readonly id: string;
}
