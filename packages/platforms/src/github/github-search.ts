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
  const { client, repository } = context;
  const { data } = await client.ask(
    {
      doing: `search the threads of ${repository}`,
      repository,
      permission: 'issues: read',
      route: 'GET /search/issues',
      parameters: { q: `${toWords(query)} repo:${repository}`, per_page: maxResults },
      signal,
    },
    searchSchema,
  );
  const own = `/repos/${repository}`.toLowerCase();
  return data.items
    .filter((issue) => issue.repository_url == null || issue.repository_url.toLowerCase().endsWith(own))
    .slice(0, maxResults)
    .map((issue) => toTaskSummary(issue, repository));
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
