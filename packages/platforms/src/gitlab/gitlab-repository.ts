import { Repositories, RepositoryFiles } from '@gitbeaker/rest';
import { decodeText } from '../http/translate-error.ts';
import { isNotFound, PlatformError } from '../platform-error.ts';
import type { CallOptions, RepositoryReader } from '../ports.ts';
import type { GitLabThreadContext } from './gitlab-context.ts';
import { describeProject } from './gitlab-projects.ts';
import { fileSchema, treeEntrySchema } from './gitlab-schemas.ts';
import { searchProjectThreads } from './gitlab-search.ts';

/** Reads the project that the thread is in. */
export function createGitLabRepositoryReader(context: GitLabThreadContext): RepositoryReader {
  const { client, projectId, project: name } = context;
  return {
    describe: async ({ signal } = {}) => {
      const project = await describeProject(client, { id: projectId, name, signal });
      return {
        id: String(project.id),
        path: project.path_with_namespace,
        // A project without commits has none yet; this is what GitLab names the first one.
        defaultBranch: project.default_branch ?? 'main',
        cloneUrl: project.http_url_to_repo ?? `${project.web_url}.git`,
        private: project.visibility === 'private',
      };
    },
    listFiles: (options = {}) => listRepositoryFiles(context, options),
    readFile: (path, options = {}) => readRepositoryFile(context, { path, ...options }),
    searchThreads: (query, options = {}) => searchProjectThreads(context, { query, ...options }),
  };
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
    permission: 'scope api',
    route: 'GET /projects/{id}/repository/tree',
    signal,
  };
  try {
    const entries = await client.askAll(
      {
        ...call,
        send: (bound, page) => new Repositories(bound).allRepositoryTrees(projectId, { ...query, ...page }),
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
async function isEmpty(
  { client, projectId, project: name }: GitLabThreadContext,
  { signal }: CallOptions,
): Promise<boolean> {
  const project = await describeProject(client, { id: projectId, name, signal });
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
      permission: 'scope api',
      route: 'GET /projects/{id}/repository/files/{file_path}',
      send: (bound) => new RepositoryFiles(bound).show(projectId, path, ref),
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
