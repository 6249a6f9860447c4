import { type Account, type Comment, isSameAccount, parseCommentMarker } from '@agent/platforms';

/**
 * When runs of a thread ended by the platform's clock, which its comments go by as well: by the run's uuid, the time of
 * its final comment (ISO 8601).
 */
export function listEndsOnThread(
  comments: readonly Comment[],
  ownAccount: Account,
): ReadonlyMap<string, string> {
  const ends = new Map<string, string>();
  for (const { author, body, createdAt } of comments) {
    const uuid = /^run:([0-9a-f-]{36}):final$/.exec(parseCommentMarker(body) ?? '')?.[1];
    if (uuid !== undefined && isSameAccount(author, ownAccount)) ends.set(uuid, createdAt);
  }
  return ends;
}
