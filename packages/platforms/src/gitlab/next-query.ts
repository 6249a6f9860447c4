/** Which page of a list is asked for: by number, or by the token that a keyset list gave. */
export interface PageQuery {
  readonly perPage: number;
  readonly page?: number;
  readonly pageToken?: string;
}

/**
 * What asks for the page in `Link: <…>; rel="next"`; null at the last one. Only the page is taken from the address, so
 * the request goes where the first one went, whatever the server calls itself.
 *
 * @see https://docs.gitlab.com/api/rest/#pagination
 */
export function findNextQuery(link: string | null, { perPage }: PageQuery): PageQuery | null {
  const query = findQuery(link, /<([^<>]+)>;\s*rel="?next"?/u);
  if (query === null) return null;
  const pageToken = query.get('page_token');
  if (pageToken !== null) return { perPage, pageToken };
  const page = Number(query.get('page'));
  return Number.isSafeInteger(page) && page > 1 ? { perPage, page } : null;
}

/** The number of the last page; null in keyset lists and above 10,000 entries, where GitLab leaves it out. */
export function findLastPage(link: string | null): number | null {
  const page = Number(findQuery(link, /<([^<>]+)>;\s*rel="?last"?/u)?.get('page'));
  return Number.isSafeInteger(page) && page > 0 ? page : null;
}

function findQuery(link: string | null, pattern: RegExp): URLSearchParams | null {
  const address = pattern.exec(link ?? '')?.[1];
  return address === undefined ? null : new URL(address, 'http://any.invalid').searchParams;
}
