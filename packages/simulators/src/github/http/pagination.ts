import { readCursor } from '../../shared/http/reply.ts';
import type { Answer, Call } from './route.ts';

const defaultPerPage = 30;
const maxPerPage = 100;

interface Page {
  readonly number: number;
  readonly size: number;
}

/**
 * One page of a list, with the Link header to the others. `per_page` is clamped to 100; what makes no sense counts as
 * left out.
 * @see https://docs.github.com/rest/using-the-rest-api/using-pagination-in-the-rest-api
 */
export function paged<Item>(call: Call, items: readonly Item[], show: (item: Item) => unknown): Answer {
  const page = readPage(call);
  const shown = items.slice((page.number - 1) * page.size, page.number * page.size).map(show);
  return { status: 200, body: shown, headers: linkHeader(call, { page, total: items.length }) };
}

/** Like `paged`, in the envelope that searches answer with. At most 1,000 results can be reached. */
export function pagedSearch<Item>(call: Call, items: readonly Item[], show: (item: Item) => unknown): Answer {
  const reachable = paged(call, items.slice(0, 1000), show);
  return {
    ...reachable,
    body: { total_count: items.length, incomplete_results: false, items: reachable.body },
  };
}

function readPage(call: Call): Page {
  const size = positive(call.query.get('per_page')) ?? defaultPerPage;
  return {
    size: Math.min(size, maxPerPage),
    number: positive(readCursor(call.query.get('after')) ?? call.query.get('page')) ?? 1,
  };
}

function positive(text: string | null): number | null {
  const number = Number(text);
  return text !== null && Number.isInteger(number) && number > 0 ? number : null;
}

function linkHeader(
  call: Call,
  list: { readonly page: Page; readonly total: number },
): Record<string, string> {
  const { number, size } = list.page;
  const last = Math.max(1, Math.ceil(list.total / size));
  const links: [relation: string, page: number][] = [];
  if (number > 1) links.push(['prev', Math.min(number - 1, last)]);
  if (number < last) links.push(['next', number + 1], ['last', last]);
  if (number > 1) links.push(['first', 1]);
  if (links.length === 0) return {};
  return { link: links.map(([relation, page]) => `<${pageUrl(call, page)}>; rel="${relation}"`).join(', ') };
}

/** GitHub's links name the repository by its id: whoever builds addresses of pages by hand is not led by them. */
function pageUrl(call: Call, page: number): string {
  const query = new URLSearchParams(call.query);
  query.set('page', String(page));
  return `${call.urls.api}${pathById(call)}?${query}`;
}

function pathById(call: Call): string {
  const [, owner = '', name = '', rest = ''] = call.path.match(/^\/repos\/([^/]+)\/([^/]+)(\/.*)?$/) ?? [];
  const repository = call.state.repositories.get(`${owner}/${name}`.toLowerCase());
  return repository ? `/repositories/${repository.id}${rest}` : call.path;
}
