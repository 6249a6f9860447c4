import * as z from 'zod';
import { decodeText } from '../http/translate-error.ts';
import { isNotFound, PlatformError } from '../platform-error.ts';
import type { CallOptions, RepositoryReader, TaskSummary } from '../ports.ts';
import {
  fileSchema,
  type GitLabIssue,
  type GitLabProject,
  issueSchema,
  type ThreadKind,
  toTaskSummary,
  treeEntrySchema,
} from './gitlab-answers.ts';
import type { BoundConnection } from './gitlab-client.ts';
import type { GitLabThreadContext } from './gitlab-context.ts';

/** Reads the project that the thread is in. */
export function createGitLabRepositoryReader(context: GitLabThreadContext): RepositoryReader {
  return {
    describe: async ({ signal } = {}) => {
      const project = await context.describeProject({ signal });
      return {
        id: String(project.id),
        path: project.path_with_namespace,
        // A project without commits has none yet; this is what GitLab names the first one.
        defaultBranch: project.default_branch ?? 'main',
        cloneUrl: project.http_url_to_repo ?? `${project.web_url}.git`,
        private: project.visibility === 'private',
        hidesThreads: hidesThreads(project),
      };
    },
    listFiles: (options = {}) => listRepositoryFiles(context, options),
    readFile: (path, options = {}) => readRepositoryFile(context, { path, ...options }),
    searchThreads: (query, options = {}) => searchProjectThreads(context, { query, ...options }),
  };
}

/** Least access with which confidential issues, and issues for members only, are shown: that of a Reporter. */
const reporterLevel = 20;

/** @see https://docs.gitlab.com/user/project/issues/confidential_issues/#who-can-see-confidential-issues */
function hidesThreads({ permissions }: GitLabProject): boolean {
  if (permissions == null) return false;
  const { project_access: own, group_access: inherited } = permissions;
  return Math.max(own?.access_level ?? 0, inherited?.access_level ?? 0) < reporterLevel;
}

/**
 * Paths of all files at a ref, sorted.
 *
 * @see https://docs.gitlab.com/api/repositories/#list-repository-tree
 */
async function listRepositoryFiles(
  context: GitLabThreadContext,
  { ref, signal }: { readonly ref?: string | undefined } & CallOptions,
): Promise<string[]> {
  const { client, projectId, project } = context;
  const query = { recursive: true, pagination: 'keyset', ...(ref === undefined ? {} : { ref }) } as const;
  const call = {
    doing: `list the files of ${project} at ${ref ?? 'its default branch'}`,
    repository: project,
    route: 'GET /projects/{id}/repository/tree',
    signal,
  };
  try {
    const entries = await client.askAll(
      {
        ...call,
        send: (bound, page) =>
          new bound.gitbeaker.Repositories(bound).allRepositoryTrees(projectId, { ...query, ...page }),
      },
      treeEntrySchema,
    );
    return entries
      .filter(({ type }) => type === 'blob')
      .map(({ path }) => path)
      .sort();
  } catch (error) {
    if (ref === undefined && isNotFound(error) && (await isEmpty(context, { signal }))) return [];
    throw error;
  }
}

/** GitLab says 404 for the tree of a project without commits. */
async function isEmpty({ describeProject }: GitLabThreadContext, { signal }: CallOptions): Promise<boolean> {
  const project = await describeProject({ signal });
  return project.empty_repo ?? project.default_branch == null;
}

/**
 * Text of one file, of any size.
 *
 * @throws PlatformError `not-found` for a directory too, `invalid` for bytes that are not UTF-8 text
 * @see https://docs.gitlab.com/api/repository_files/#get-file-from-repository
 */
async function readRepositoryFile(
  { client, projectId, project }: GitLabThreadContext,
  { path, ref = 'HEAD', signal }: { readonly path: string; readonly ref?: string | undefined } & CallOptions,
): Promise<string> {
  const { content, encoding } = await client.ask(
    {
      doing: `read ${path} of ${project}`,
      repository: project,
      route: 'GET /projects/{id}/repository/files/{file_path}',
      send: (bound) => new bound.gitbeaker.RepositoryFiles(bound).show(projectId, path, ref),
      signal,
    },
    fileSchema,
  );
  const text = decodeText(Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8'));
  if (text !== null) return text;
  throw new PlatformError(`${path} of ${project} cannot be read as text: its bytes are not UTF-8.`, {
    code: 'invalid',
  });
}

const maxResults = 20;
const maxQueryChars = 200;

/**
 * Threads of this project with the words in title or description, those that have them in the title first, then those
 * that changed last. Confidential issues are left out: what is found may be spoken of in public.
 *
 * @see https://docs.gitlab.com/api/issues/#list-project-issues (`search`)
 */
async function searchProjectThreads(
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
    ? new bound.gitbeaker.Issues(bound).all({ projectId, confidential: false, ...query })
    : new bound.gitbeaker.MergeRequests(bound).all({ projectId, ...query });
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
