import { PlatformError } from '../platform-error.ts';

/** Addresses of a `Link` header by relation. */
export type PageAddresses = ReadonlyMap<string, string>;

const entryPattern = /\s*<([^<>]*)>((?:\s*;\s*[\w*-]+\s*=\s*(?:"[^"]*"|[^\s",;]+))*)\s*(?:,|$)/uy;

/**
 * Reads a `Link` header. The order of entries and parameters, quotes and case do not matter, and a relation can have
 * several names.
 *
 * @param service name of the platform, for the error
 * @throws PlatformError `unavailable` when the header cannot be read as a whole: it could name a next page
 * @see https://www.rfc-editor.org/rfc/rfc8288#section-3
 */
export function parseLinkHeader(header: string | null | undefined, service: string): PageAddresses {
  const addresses = new Map<string, string>();
  const text = (header ?? '').trim();
  const pattern = new RegExp(entryPattern);
  for (let at = 0; at < text.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const [, address = '', parameters = ''] = pattern.exec(text) ?? [];
    const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]+))/iu.exec(parameters);
    if (relations === null) throw unreadable(service, text);
    for (const name of (relations[1] ?? relations[2] ?? '').toLowerCase().split(/\s+/u))
      if (!addresses.has(name)) addresses.set(name, address);
  }
  return addresses;
}

/** Page that was asked for, and how much of it there is. */
export interface AskedPage {
  /** Name of the platform, for the error. */
  readonly service: string;
  /** Query that was sent; a list without `per_page` is not read by pages. */
  readonly query: URLSearchParams;
  /** Place of this page among the pages read so far, from 1. */
  readonly number: number;
  /** Items of the page; null for an answer that is not a list. */
  readonly count: number | null;
  /** Items of the whole list, as the server counts them; null where it does not. */
  readonly total: number | null;
  /**
   * Set for a server that leaves out items after it has cut the list into pages, so that a short or empty page is not the end:
   * the number of the next page as its headers state it; 0 if they state that there is none, null if they state nothing.
   */
  readonly stated?: number | null | undefined;
}

/**
 * Finds the query of the next page: the linked page, or the next number after a full page without a
 * link. Servers and gateways leave the link out of single answers, so that a full page alone is never the end. Where pages can
 * be short, an answer without any header about pages is the end only if it is empty.
 *
 * @throws PlatformError `unavailable` when the link does not lead to a later page
 * @see https://gitlab.com/gitlab-org/gitlab/-/issues/331297 (headers missing from some answers)
 * @see https://gitlab.com/gitlab-org/gitlab/-/merge_requests/196834 (no next link though there were more pages)
 * @see https://gitlab.com/gitlab-org/gitlab/-/blob/master/lib/api/notes.rb (notes are left out of a page after it was cut)
 */
export function findNextPage(next: URL | null, asked: AskedPage): URLSearchParams | null {
  if (next !== null) {
    if (!isLater(next.searchParams, asked.query)) throw unreadable(asked.service, next.href);
    return withPlace(asked.query, next.searchParams);
  }
  if (!mayHaveMore(asked)) return null;
  // A list that was read by cursor is continued by number: the cursor of the next page is what is missing.
  return withPlace(asked.query, new URLSearchParams({ page: String(asked.number + 1) }));
}

function mayHaveMore({ query, number, count, total, stated }: AskedPage): boolean {
  const size = Number(query.get('per_page') ?? Number.NaN);
  if (count === null || !Number.isSafeInteger(size)) return false;
  if (stated !== undefined && stated !== null && stated > number) return true;
  const canBeShort = stated !== undefined && query.get('pagination') !== 'keyset';
  if (total !== null) return (count > 0 || canBeShort) && total > size * number;
  return canBeShort && stated === null ? count > 0 : count > 0 && count >= size;
}

/** Parameters that name a place in a list without page numbers. */
const cursorNames = ['cursor', 'page_token', 'id_after', 'id_before', 'after', 'before'];

function withPlace(asked: URLSearchParams, place: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams(asked);
  for (const name of ['page', ...cursorNames]) query.delete(name);
  if (!cursorNames.some((name) => place.has(name))) query.delete('pagination');
  for (const [name, value] of place) query.set(name, value);
  return query;
}

function isLater(next: URLSearchParams, asked: URLSearchParams): boolean {
  if (cursorNames.some((name) => next.has(name) && next.get(name) !== asked.get(name))) return true;
  const page = Number(next.get('page') ?? Number.NaN);
  return Number.isSafeInteger(page) && page > Number(asked.get('page') ?? 1);
}

function unreadable(service: string, link: string): PlatformError {
  return new PlatformError(
    `${service} links an unknown next page: ${link}. Check whether a proxy changes the header Link of its answers.`,
    { code: 'unavailable' },
  );
}
