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
  const address = /<([^<>]+)>;\s*rel="?next"?/u.exec(link ?? '')?.[1];
  if (address === undefined) return null;
  const query = new URL(address, 'http://any.invalid').searchParams;
  const pageToken = query.get('page_token');
  if (pageToken !== null) return { perPage, pageToken };
  const page = Number(query.get('page'));
  return Number.isSafeInteger(page) && page > 1 ? { perPage, page } : null;
}
