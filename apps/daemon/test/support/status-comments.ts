const marker = /^<!-- agent-comment: run:[0-9a-f-]{36}:status -->/;

/** Tells whether a comment is the one that a run keeps on its thread while it lasts. */
export function isStatusComment({ body }: { readonly body: string }): boolean {
  return marker.test(body);
}

/** Tells them from all others. Most stories are about what was said besides. */
export function isNoStatusComment(comment: { readonly body: string }): boolean {
  return !isStatusComment(comment);
}
