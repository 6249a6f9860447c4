import { gitHubService } from '../http/github-service.ts';
import { type AskedPage, findNextPage, parseLinkHeader } from '../http/page-links.ts';
import { PlatformError } from '../platform-error.ts';

/** Addresses of the pages around one page; null where there is none, or the server does not say. */
export interface PageLinks {
  readonly next: string | null;
  readonly previous: string | null;
  readonly last: string | null;
}

/**
 * Finds the addresses of the pages around a page. They are followed as they are.
 *
 * @throws PlatformError `unavailable` when one leads to another host, which must not see the token
 * @see https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api
 */
export function findPageLinks(link: string | undefined, baseUrl: string): PageLinks {
  const addresses = parseLinkHeader(link, gitHubService.name);
  const find = (relation: string): string | null => {
    const address = addresses.get(relation);
    return address === undefined ? null : onSameOrigin(new URL(address, baseUrl), baseUrl);
  };
  return { next: find('next'), previous: find('prev'), last: find('last') };
}

function onSameOrigin(page: URL, baseUrl: string): string {
  if (page.origin === new URL(baseUrl).origin) return page.href;
  throw new PlatformError(
    `GitHub at ${baseUrl} links another page to ${page.origin}. Set baseUrl to the address that the server calls its own.`,
    { code: 'unavailable' },
  );
}

/**
 * Finds the address of the page that follows an answer; see `findNextPage`.
 *
 * @param linked address that the answer links
 */
export function findNextAddress(
  linked: string | null,
  { asked, body }: { readonly asked: string; readonly body: unknown },
): string | null {
  const { count, total } = countItems(body);
  if (linked === null && count === null) return null;
  const address = new URL(asked);
  const query = address.searchParams;
  const number = Number(query.get('page') ?? 1);
  const place = { service: gitHubService.name, query, number, count, total };
  const found = findNextPage(linked === null ? null : new URL(linked), place);
  if (found === null || linked !== null) return linked;
  address.search = found.toString();
  return address.href;
}

/** Items of a list, which comes as it is or in an envelope with its total. */
function countItems(body: unknown): Pick<AskedPage, 'count' | 'total'> {
  if (Array.isArray(body)) return { count: body.length, total: null };
  if (typeof body !== 'object' || body === null || !('total_count' in body))
    return { count: null, total: null };
  const items = Object.values(body).find((value) => Array.isArray(value));
  return { count: items?.length ?? null, total: Number(body.total_count) };
}
