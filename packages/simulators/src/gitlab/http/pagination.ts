import { z } from 'zod';
import { readCursor } from '../../shared/http/reply.ts';
import { badParameters, Refusal } from '../state/refusal.ts';
import { inputOf, integer } from './input.ts';
import type { Answer, Call } from './route.ts';

const maxPerPage = 100;

const paging = z.object({
  page: integer.default(1),
  per_page: integer.default(20),
  pagination: z.string().optional(),
});

interface Page {
  readonly number: number;
  readonly size: number;
}

/**
 * One page of a list with the headers that lead to the others. `keep` leaves items out after the page was cut, as
 * GitLab does with what the asker must not see: a page may then be shorter than it should be, and is not the last.
 * @throws {Refusal} 405 for keyset pagination, which most lists do not have
 * @see https://docs.gitlab.com/api/rest/#offset-based-pagination
 */
export function paged<Item>(
  call: Call,
  items: readonly Item[],
  options: { readonly show: (item: Item) => unknown; readonly keep?: (item: Item) => boolean },
): Answer {
  const { show, keep = () => true } = options;
  const page = readPage(call);
  const cut = items.slice((page.number - 1) * page.size, page.number * page.size);
  return { status: 200, body: cut.filter(keep).map(show), headers: pageHeaders(call, page, items.length) };
}

/**
 * One page after a token, without any count.
 * @see https://docs.gitlab.com/api/rest/#keyset-based-pagination
 */
export function pagedByToken<Item>(
  call: Call,
  items: readonly Item[],
  options: { readonly show: (item: Item) => unknown; readonly tokenOf: (item: Item) => string },
): Answer {
  const { size } = readSize(call);
  const { show, tokenOf } = options;
  const token = call.query.get('page_token');
  const start = token ? items.findIndex((item) => tokenOf(item) === token) + 1 : 0;
  if (token && start === 0) throw badParameters('page_token is invalid');
  const shown = items.slice(start, start + size);
  const last = shown.at(-1);
  const more = last !== undefined && start + size < items.length;
  const link = more
    ? { link: `<${address(call, { page_token: tokenOf(last), per_page: String(size) })}>; rel="next"` }
    : {};
  return { status: 200, body: shown.map(show), headers: link };
}

/** Checks whether the asker wants pages after tokens. */
export function wantsKeyset(call: Call): boolean {
  return call.query.get('pagination') === 'keyset';
}

function readSize(call: Call) {
  const { page: asked, per_page: perPage, pagination } = inputOf(call, paging);
  const page = Number(readCursor(call.query.get('cursor')) ?? asked);
  if (perPage === 0) throw badParameters('per_page has a value not allowed');
  return { number: Math.max(1, page), size: Math.min(Math.max(1, perPage), maxPerPage), pagination };
}

function readPage(call: Call): Page {
  const { number, size, pagination } = readSize(call);
  if (pagination !== 'keyset') return { number, size };
  throw new Refusal(405, { error: 'Keyset pagination is not yet available for this type of request' });
}

function pageHeaders(call: Call, page: Page, total: number): Record<string, string> {
  const { number, size } = page;
  const isCounted = total <= call.state.maxCountedRecords;
  const pages = Math.max(1, Math.ceil(total / size));
  const next = number < pages ? String(number + 1) : '';
  const previous = number > 1 && number <= pages + 1 ? String(number - 1) : '';
  const links: [relation: string, page: string][] = [
    ...(previous ? [['prev', previous] as [string, string]] : []),
    ...(next ? [['next', next] as [string, string]] : []),
    ['first', '1'],
    ...(isCounted ? [['last', String(pages)] as [string, string]] : []),
  ];
  const linkTo = (target: string) => address(call, { page: target, per_page: String(size) });
  return {
    'x-page': String(number),
    'x-per-page': String(size),
    'x-next-page': next,
    'x-prev-page': previous,
    ...(isCounted ? { 'x-total': String(total), 'x-total-pages': String(pages) } : {}),
    link: links.map(([relation, target]) => `<${linkTo(target)}>; rel="${relation}"`).join(', '),
  };
}

function address(call: Call, change: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(call.query);
  for (const [name, value] of Object.entries(change)) query.set(name, value);
  return `${call.web}/api/v4${call.path}?${query}`;
}
