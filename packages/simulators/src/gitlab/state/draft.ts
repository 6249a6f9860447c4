const prefix = /^\s*(\[draft\]|\(draft\)|draft:|draft\s-\s)\s*/i;

/** Checks whether a title makes a merge request a draft. @see https://docs.gitlab.com/user/project/merge_requests/drafts/ */
export function isDraft(title: string): boolean {
  return prefix.test(title);
}

/** The title with `Draft: ` before it, unless it has one. */
export function toDraft(title: string): string {
  return isDraft(title) ? title : `Draft: ${title}`;
}

/** The title without it. */
export function toReady(title: string): string {
  return title.replace(prefix, '');
}
