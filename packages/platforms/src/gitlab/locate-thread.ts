import type { CallOptions } from '../ports.ts';
import type { GitLabClient } from './gitlab-client.ts';
import type { GitLabTaskKey, GitLabThreadContext } from './gitlab-context.ts';
import { describeProject, type GitLabProjects } from './gitlab-projects.ts';
import type { GitLabProject } from './gitlab-schemas.ts';

interface Thread {
  readonly client: GitLabClient;
  readonly projects: GitLabProjects;
  readonly key: GitLabTaskKey;
}

/** Place of a thread: its numbers, its names in messages, and its project. */
export function locateThread(
  thread: Thread,
): Pick<
  GitLabThreadContext,
  'key' | 'projectId' | 'iid' | 'project' | 'name' | 'findUrl' | 'describeProject'
> {
  const { key, projects } = thread;
  const projectId = Number(key.projectId);
  const project = projects.find(projectId)?.path_with_namespace ?? `project ${key.projectId}`;
  const [mark, iid] = key.type === 'gitlab_issue' ? ['#', key.issueIid] : ['!', key.mrIid];
  const kind = key.type === 'gitlab_issue' ? 'issues' : 'merge_requests';
  const findUrl = () => {
    const known = projects.find(projectId);
    return known === null ? null : `${known.web_url}/-/${kind}/${iid}`;
  };
  const describe = rememberProject(thread, { id: projectId, name: project });
  return {
    key,
    projectId,
    iid,
    project,
    name: `${project}${mark}${iid}`,
    findUrl,
    describeProject: describe,
  };
}

/** Asks once; a question that failed is asked again. */
function rememberProject(
  { client, projects }: Thread,
  project: { readonly id: number; readonly name: string },
): GitLabThreadContext['describeProject'] {
  let known: GitLabProject | null = null;
  return async ({ signal }: CallOptions) => {
    if (known !== null) return known;
    known = await describeProject(client, { ...project, signal });
    projects.remember(known);
    return known;
  };
}
