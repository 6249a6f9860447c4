import * as z from 'zod';
import { decodeText } from '../http/translate-error.ts';
import { PlatformError } from '../platform-error.ts';
import type { CallOptions, RepositoryReader, TaskSummary } from '../ports.ts';
import {
  blobSchema,
  contentSchema,
  repositorySchema,
  searchSchema,
  toTaskSummary,
  treeSchema,
} from './github-answers.ts';
import type { GitHubThreadContext } from './github-context.ts';

/** @see https://docs.github.com/en/rest/repos/repos#get-a-repository */
export function createGitHubRepositoryReader(context: GitHubThreadContext): RepositoryReader {
  const { repositories, place, repository } = context;
  return {
    describe: async ({ signal } = {}) => {
      const { data } = await repositories.ask(
        {
          doing: `read what ${repository} is`,
          repository,
          permission: 'metadata: read',
          route: 'GET /repos/{owner}/{repo}',
          parameters: place,
          signal,
        },
        repositorySchema,
      );
      return {
        id: String(data.id),
        path: data.full_name,
        defaultBranch: data.default_branch,
        cloneUrl: data.clone_url,
        private: data.private,
      };
    },
    listFiles: (options = {}) => listRepositoryFiles(context, options),
    readFile: (path, options = {}) => readRepositoryFile(context, { path, ...options }),
    searchThreads: (query, options = {}) => searchRepositoryThreads(context, { query, ...options }),
  };
}

type Tree = z.output<typeof treeSchema>;

/**
 * Paths of all files at a ref, sorted. A tree too large for one answer is walked directory by directory.
 *
 * @see https://docs.github.com/en/rest/git/trees#get-a-tree
 */
async function listRepositoryFiles(
  context: GitHubThreadContext,
  { ref, signal }: { readonly ref?: string | undefined } & CallOptions,
): Promise<string[]> {
  try {
    const whole = await askTree(context, { tree: ref ?? 'HEAD', recursive: true, signal });
    if (whole.truncated !== true) return filesOf(whole).sort();
    return (await walk(context, { tree: ref ?? 'HEAD', prefix: '', signal })).sort();
  } catch (error) {
    // 409 is what a repository without commits answers: it has no files.
    if (ref === undefined && PlatformError.isInstance(error) && error.code === 'conflict') return [];
    throw error;
  }
}

interface TreeQuestion extends CallOptions {
  readonly tree: string;
}

async function walk(
  context: GitHubThreadContext,
  { tree, prefix, signal }: TreeQuestion & { readonly prefix: string },
): Promise<string[]> {
  const level = await askTree(context, { tree, recursive: false, signal });
  if (level.truncated === true) {
    throw new PlatformError(
      `${context.repository} has a directory with more files than GitHub lists: /${prefix}`,
      {
        code: 'unavailable',
      },
    );
  }
  const paths = filesOf(level).map((path) => prefix + path);
  for (const { type, path, sha } of level.tree) {
    if (type === 'tree')
      paths.push(...(await walk(context, { tree: sha, prefix: `${prefix}${path}/`, signal })));
  }
  return paths;
}

async function askTree(
  { client, place, repository }: GitHubThreadContext,
  { tree, recursive, signal }: TreeQuestion & { readonly recursive: boolean },
): Promise<Tree> {
  const answer = await client.ask(
    {
      doing: `list the files of ${repository} at ${tree}`,
      repository,
      permission: 'contents: read',
      route: 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}',
      parameters: { ...place, tree_sha: tree, ...(recursive ? { recursive: '1' } : {}) },
      signal,
    },
    treeSchema,
  );
  return answer.data;
}

function filesOf({ tree }: Tree): string[] {
  return tree.filter(({ type }) => type === 'blob').map(({ path }) => path);
}

const answerSchema = z.union([contentSchema, z.array(z.unknown())]);

interface FileQuestion extends CallOptions {
  readonly path: string;
  readonly ref?: string | undefined;
}

/**
 * Text of one file. What is over 1 MB is not in GitHub's first answer and is read as a blob.
 *
 * @throws PlatformError `invalid` for a directory, a submodule, and bytes that are not UTF-8 text
 * @see https://docs.github.com/en/rest/repos/contents#get-repository-content
 */
async function readRepositoryFile(context: GitHubThreadContext, question: FileQuestion): Promise<string> {
  const { client, place, repository } = context;
  const { path, ref, signal } = question;
  const { data } = await client.ask(
    {
      doing: `read ${path} of ${repository}`,
      repository,
      permission: 'contents: read',
      route: 'GET /repos/{owner}/{repo}/contents/{path}',
      parameters: { ...place, path, ...(ref === undefined ? {} : { ref }) },
      signal,
    },
    answerSchema,
  );
  if (Array.isArray(data) || data.type !== 'file') throw notText(context, path, 'it is not a file');
  const isWhole = data.encoding === 'base64' && typeof data.content === 'string';
  const base64 = isWhole ? (data.content ?? '') : await readBlob(context, { path, sha: data.sha, signal });
  return (
    decodeText(Buffer.from(base64, 'base64')) ??
    Promise.reject(notText(context, path, 'its bytes are not UTF-8'))
  );
}

/** @see https://docs.github.com/en/rest/git/blobs#get-a-blob */
async function readBlob(
  { client, place, repository }: GitHubThreadContext,
  { path, sha, signal }: CallOptions & { readonly path: string; readonly sha: string },
): Promise<string> {
  const answer = await client.ask(
    {
      doing: `read ${path} of ${repository}`,
      repository,
      permission: 'contents: read',
      route: 'GET /repos/{owner}/{repo}/git/blobs/{file_sha}',
      parameters: { ...place, file_sha: sha },
      signal,
    },
    blobSchema,
  );
  return answer.data.content;
}

function notText({ repository }: GitHubThreadContext, path: string, why: string): PlatformError {
  return new PlatformError(`${path} of ${repository} cannot be read as text: ${why}.`, { code: 'invalid' });
}

const maxResults = 20;
const maxQueryChars = 200;

/**
 * Threads of this repository that match the words. The words stay words: a qualifier in them (`repo:other/secret`)
 * is searched for, not obeyed.
 *
 * @see https://docs.github.com/en/rest/search/search#search-issues-and-pull-requests
 */
async function searchRepositoryThreads(
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
