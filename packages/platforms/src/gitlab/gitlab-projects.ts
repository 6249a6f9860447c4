import { isNotFound, PlatformError } from '../platform-error.ts';
import type { CallOptions } from '../ports.ts';
import { type GitLabProject, projectSchema } from './gitlab-answers.ts';
import type { GitLabClient } from './gitlab-client.ts';
import type { GitLabTaskKey, GitLabThreadContext } from './gitlab-context.ts';

/** Projects that are known by now. Configurations name them by path, keys by id. */
export interface GitLabProjects {
  /** Asks what a project is now, and remembers it. */
  readonly describe: (client: GitLabClient, question: ProjectQuestion) => Promise<GitLabProject>;
  /** The id of the project at a path. Asks once; a project that was renamed is found by its old path too. */
  readonly resolve: (path: string, options: CallOptions) => Promise<number>;
  /** Makes the next question for this path a new one. */
  readonly forget: (path: string) => void;
  /** Takes note of which project is at a path now: another may have been there. */
  readonly learn: (path: string, id: number) => void;
  /** A project as it was last seen; null before anything was. */
  readonly find: (id: number) => GitLabProject | null;
}

/** @see https://docs.gitlab.com/api/projects/#retrieve-a-project */
export function createGitLabProjects(client: GitLabClient): GitLabProjects {
  const ids = new Map<string, number>();
  const projects = new Map<number, GitLabProject>();
  return {
    resolve: async (path, { signal }) => {
      const known = ids.get(path);
      if (known !== undefined) return known;
      const project = await findByPath(client, { path, signal });
      ids.set(path, project.id);
      projects.set(project.id, project);
      return project.id;
    },
    forget: (path) => {
      ids.delete(path);
    },
    learn: (path, id) => void ids.set(path, id),
    find: (id) => projects.get(id) ?? null,
    describe: async (asking, question) => {
      const project = await describeProject(asking, question);
      projects.set(project.id, project);
      return project;
    },
  };
}

interface ProjectQuestion extends CallOptions {
  /** Id or path. */
  readonly id: number | string;
  /** For messages. */
  readonly name: string;
}

async function findByPath(
  client: GitLabClient,
  { path, signal }: { readonly path: string } & CallOptions,
): Promise<GitLabProject> {
  try {
    return await describeProject(client, { id: path, name: path, signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const message = `unknown project ${path}: check the spelling, or the token lacks access.`;
    throw new PlatformError(`GitLab: ${message}`, { code: 'not-found', cause: error });
  }
}

function describeProject(
  client: GitLabClient,
  { id, name, signal }: ProjectQuestion,
): Promise<GitLabProject> {
  const call = {
    doing: `read what ${name} is`,
    repository: name,
    route: 'GET /projects/{id}',
    signal,
  };
  return client.ask(
    { ...call, send: (bound) => new bound.gitbeaker.Projects(bound).show(id) },
    projectSchema,
  );
}

/** Place of a thread: its numbers, its names in messages, and its project. */
export function locateThread(
  key: GitLabTaskKey,
  { projects, client }: { readonly projects: GitLabProjects; readonly client: GitLabClient },
): Omit<GitLabThreadContext, 'settings' | 'identity' | 'knownLabels' | 'questions'> {
  const projectId = Number(key.projectId);
  const project = projects.find(projectId)?.path_with_namespace ?? `project ${key.projectId}`;
  const [mark, iid] = key.type === 'gitlab_issue' ? ['#', key.issueIid] : ['!', key.mrIid];
  const kind = key.type === 'gitlab_issue' ? 'issues' : 'merge_requests';
  const describeProject = (call: CallOptions) =>
    projects.describe(client, { id: projectId, name: project, ...call });
  const findUrl = async (call: CallOptions) => {
    const known = projects.find(projectId) ?? (await describeProject(call));
    return `${known.web_url}/-/${kind}/${iid}`;
  };
  return { client, key, projectId, iid, project, name: `${project}${mark}${iid}`, describeProject, findUrl };
}
