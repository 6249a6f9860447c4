import type * as z from 'zod';
import { PlatformError } from '../platform-error.ts';
import type { CallOptions, TaskSummary } from '../ports.ts';
import { toTaskSummary } from './convert.ts';
import type { GitHubThreadContext } from './github-context.ts';
import { searchSchema } from './github-schemas.ts';

const maxResults = 20;
const maxQueryChars = 200;

/**
 * Threads of this repository that match the words. The words stay words: a qualifier in them (`repo:other/secret`)
 * is searched for, not obeyed.
 *
 * @see https://docs.github.com/en/rest/search/search#search-issues-and-pull-requests
 */
export async function searchRepositoryThreads(
  context: GitHubThreadContext,
  { query, signal }: { readonly query: string } & CallOptions,
): Promise<readonly TaskSummary[]> {
  const words = toWords(query);
  const found = new Map<number, GitHubHit>();
  for (const kind of ['issue', 'pull-request'] as const) {
    for (const hit of await searchKind(context, { words, kind, signal })) found.set(hit.number, hit);
  }
  return [...found.values()]
    .sort((one, other) => (other.score ?? 0) - (one.score ?? 0))
    .slice(0, maxResults)
    .map((issue) => toTaskSummary(issue, context.repository));
}

type GitHubHit = z.output<typeof searchSchema>['items'][number];

/** GitHub answers a search only when it says which of the two it is for. */
async function searchKind(
  { client, repository }: GitHubThreadContext,
  { words, kind, signal }: CallOptions & { readonly words: string; readonly kind: 'issue' | 'pull-request' },
): Promise<readonly GitHubHit[]> {
  const { data } = await client.ask(
    {
      doing: `search the threads of ${repository}`,
      repository,
      permission: 'issues: read',
      route: 'GET /search/issues',
      parameters: { q: `${words} repo:${repository} is:${kind}`, per_page: maxResults },
      signal,
    },
    searchSchema,
  );
  const own = `/repos/${repository}`.toLowerCase();
  return data.items.filter(({ repository_url: url }) => url == null || url.toLowerCase().endsWith(own));
}

function toWords(query: string): string {
  const words = query
    .replaceAll(/["()\\]/gu, ' ')
    .split(/\s+/u)
    .filter((word) => word !== '' && !/^(?:AND|OR|NOT)$/u.test(word))
    .map((word) => (/[:-]/u.test(word) ? `"${word}"` : word));
  const fitting = words.filter((_, index) => words.slice(0, index + 1).join(' ').length <= maxQueryChars);
  if (fitting.length > 0) return fitting.join(' ');
  throw new PlatformError(`A search needs at least one word of at most ${maxQueryChars} characters.`, {
    code: 'invalid',
  });
}
