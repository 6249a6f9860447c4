import type { RepositoryReader } from '../ports.ts';
import type { GitLabThreadContext } from './gitlab-context.ts';
import { listRepositoryFiles } from './gitlab-files.ts';
import { describeProject } from './gitlab-projects.ts';
import { readRepositoryFile } from './gitlab-read-file.ts';
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
