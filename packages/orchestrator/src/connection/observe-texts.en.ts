/** Texts about writes that were not made, in English. `where`: a page, or a repository. */
export const en = {
  comment: (where: string, topic: string) => `would comment on ${where} (${topic}):`,
  internalNote: (where: string, topic: string) => `would write an internal note on ${where} (${topic}):`,
  edit: (where: string, topic: string) => `would edit its comment on ${where} (${topic}):`,
  removal: (where: string, commentId: string) => `would delete its comment ${commentId} on ${where}`,
  reaction: (where: string, of: { readonly meaning: string; readonly commentId: string }) =>
    `would react to comment ${of.commentId} on ${where}: ${of.meaning}`,
  label: {
    add: (where: string, label: string) => `would add the label "${label}" to ${where}`,
    remove: (where: string, label: string) => `would remove the label "${label}" from ${where}`,
  },
  assignment: {
    add: (where: string, login: string) => `would assign ${login} to ${where}`,
    remove: (where: string, login: string) => `would unassign ${login} from ${where}`,
  },
  draft: (where: string, branches: string) => `would open a draft for ${where}, ${branches}:`,
  draftBody: (where: string, url: string, branches: string) =>
    `would change the text of ${url} for ${where}, ${branches}:`,
  title: (title: string) => `Title: ${title}`,
  reviewRequest: (where: string, login: string) => `would request a review from ${login} for ${where}`,
  reviewAnswer: (where: string, reviewThread: string) =>
    `would answer review thread ${reviewThread} on ${where}:`,
  reviewResolution: (where: string, reviewThread: string) =>
    `would resolve review thread ${reviewThread} on ${where}`,
  checkRerun: (where: string, check: string) => `would run check ${check} of ${where} again`,
  repositoryLabel: (where: string, label: string) => `would create the label "${label}" in ${where}`,
  push: (where: string, branch: string) => `would push to branch ${branch} of ${where}:`,
  changes: { added: 'added', modified: 'modified', deleted: 'deleted' },
};

/** Texts about writes that were not made. */
export type ObserveTexts = typeof en;
