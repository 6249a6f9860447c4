import type { TaskKey } from '../task-key.ts';

/** One name for the repository of a thread, among those of one kind of platform. */
export function nameRepository(key: TaskKey): string {
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
