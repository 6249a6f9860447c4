import type { TaskKey } from '@agent/platforms';

/** Name that people give to a request to merge a branch: it depends on the platform. */
export type ChangeRequestKind = 'pull request' | 'merge request';

/** Names the requests of this key's platform; where nobody says otherwise, as on GitHub. */
export function changeRequestKindOf(key: TaskKey): ChangeRequestKind {
  return key.type === 'gitlab_issue' || key.type === 'gitlab_merge_request'
    ? 'merge request'
    : 'pull request';
}

/** `#7`; `!7` for a merge request: GitLab numbers them apart from issues. */
export function formatReference(kind: 'issue' | ChangeRequestKind, number: number): string {
  return `${kind === 'merge request' ? '!' : '#'}${number}`;
}
