import type { TaskKey } from '../task-key.ts';
import { formatTaskKey } from '../task-key-text.ts';

/**
 * One name for a thread, whichever way it is come by: `octo/hello#4` on GitHub, where an issue and a pull request
 * share their numbers, `42#4` and `42!4` on GitLab. Other platforms' threads are named by their keys.
 */
export function toThreadName(key: TaskKey): string {
  switch (key.type) {
    case 'github_issue':
    case 'github_pull_request':
      return `${key.owner}/${key.repo}#${key.number}`.toLowerCase();
    case 'gitlab_issue':
      return `${key.projectId}#${key.issueIid}`;
    case 'gitlab_merge_request':
      return `${key.projectId}!${key.mrIid}`;
    default:
      return formatTaskKey(key);
  }
}

/** One name for the repository of a thread, among those of one platform. */
export function toRepositoryName(key: TaskKey): string {
  switch (key.type) {
    case 'github_issue':
    case 'github_pull_request':
      return `${key.owner}/${key.repo}`.toLowerCase();
    case 'gitlab_issue':
    case 'gitlab_merge_request':
      return key.projectId;
    case 'custom':
      return JSON.stringify([key.platform, key.project]);
  }
}
