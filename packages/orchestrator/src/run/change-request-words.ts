import type { TaskKey } from '@agent/platforms';

/** What people call a request to take over a branch: it depends on the platform. */
export type ChangeRequestKind = 'pull request' | 'merge request';

/** What requests of this key's platform are called; where nobody says otherwise, as on GitHub. */
export function changeRequestKindOf(key: TaskKey): ChangeRequestKind {
  return key.type === 'gitlab_issue' || key.type === 'gitlab_merge_request'
    ? 'merge request'
    : 'pull request';
}

/** `#7`; `!7` for a merge request: GitLab numbers them apart from issues. */
export function formatReference(kind: 'issue' | ChangeRequestKind, number: number): string {
  return `${kind === 'merge request' ? '!' : '#'}${number}`;
}
