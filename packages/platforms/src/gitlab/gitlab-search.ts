import { Issues, MergeRequests } from '@gitbeaker/rest';
import * as z from 'zod';
import { PlatformError } from '../platform-error.ts';
import type { CallOptions, TaskSummary } from '../ports.ts';
import { type ThreadKind, toTaskSummary } from './convert.ts';
import type { BoundConnection } from './gitlab-client.ts';
import type { GitLabThreadContext } from './gitlab-context.ts';
import { type GitLabIssue, issueSchema } from './gitlab-schemas.ts';

const maxResults = 20;
const maxQueryChars = 200;

/**
 * Threads of this project with the words in title or description, those that have them in the title first, then those
 * that changed last. Confidential issues are left out: what is found may be spoken of in public.
 *
 * @see https://docs.gitlab.com/api/issues/#list-project-issues (`search`)
 */
export async function searchProjectThreads(
  context: GitLabThreadContext,
  { query, signal }: { readonly query: string } & CallOptions,
): Promise<readonly TaskSummary[]> {
  const words = toWords(query);
  const found: { readonly issue: GitLabIssue; readonly kind: ThreadKind }[] = [];
  for (const kind of ['issues', 'merge_requests'] as const) {
    const issues = await searchKind(context, { words, kind, signal });
    found.push(...issues.map((issue) => ({ issue, kind })));
  }
  return found
    .filter(({ issue }) => issue.confidential !== true)
    .sort(
      (one, other) => rank(one.issue, words) - rank(other.issue, words) || byNewest(one.issue, other.issue),
    )
    .slice(0, maxResults)
    .map(({ issue, kind }) => toTaskSummary(issue, kind));
}

function searchKind(
  { client, projectId, project }: GitLabThreadContext,
  { words, kind, signal }: CallOptions & { readonly words: string; readonly kind: ThreadKind },
): Promise<GitLabIssue[]> {
  return client.ask(
    {
      doing: `search the threads of ${project}`,
      repository: project,
      permission: 'scope api',
      route: `GET /projects/{id}/${kind}`,
      send: (bound) => sendSearch(bound, { projectId, words, kind }),
      signal,
    },
    z.array(issueSchema),
  );
}

function sendSearch(
  bound: BoundConnection,
  {
    projectId,
    words,
    kind,
  }: { readonly projectId: number; readonly words: string; readonly kind: ThreadKind },
): Promise<unknown> {
  const query = {
    search: words,
    scope: 'all',
    orderBy: 'updated_at',
    sort: 'desc',
    page: 1,
    perPage: maxResults,
  } as const;
  return kind === 'issues'
    ? new Issues(bound).all({ projectId, confidential: false, ...query })
    : new MergeRequests(bound).all({ projectId, ...query });
}

const rank = ({ title }: GitLabIssue, words: string) =>
  title.toLowerCase().includes(words.toLowerCase()) ? 0 : 1;

const byNewest = (one: GitLabIssue, other: GitLabIssue) =>
  Date.parse(other.updated_at) - Date.parse(one.updated_at);

function toWords(query: string): string {
  const words = query.replaceAll(/\s+/gu, ' ').trim();
  if (words !== '' && words.length <= maxQueryChars) return words;
  throw new PlatformError(`A search needs at least one word, and at most ${maxQueryChars} characters.`, {
    code: 'invalid',
  });
}
