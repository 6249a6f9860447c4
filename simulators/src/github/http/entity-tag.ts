import { createHash } from 'node:crypto';

/**
 * The ETag of an answer. It differs by address, by token and by media type, not only by content, as GitHub's do.
 * @see https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate
 */
export function entityTag(parts: {
  readonly address: string;
  readonly token: string | null;
  readonly accept: string;
  readonly content: string | Buffer;
}): string {
  const hash = createHash('sha256');
  for (const part of [parts.address, parts.token ?? '', parts.accept]) hash.update(part).update('\0');
  return `W/"${hash.update(parts.content).digest('hex')}"`;
}

/** Whether If-None-Match names this tag; weak and strong forms are the same to it, quotes belong to it. */
export function matchesEntityTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const strong = tag.replace(/^W\//, '');
  const named = ifNoneMatch.split(',').map((part) => part.trim().replace(/^W\//, ''));
  return named.includes(strong) || named.includes('*');
}
