import type { RepositoryReader } from '../ports.ts';
import type { GitHubThreadContext } from './github-context.ts';
import { listRepositoryFiles } from './github-files.ts';
import { readRepositoryFile } from './github-read-file.ts';
import { repositorySchema } from './github-schemas.ts';
import { searchRepositoryThreads } from './github-search.ts';

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
