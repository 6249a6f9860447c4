import type { GitLabTaskKey, GitLabThreadContext } from './gitlab-context.ts';
import type { GitLabProjects } from './gitlab-projects.ts';

/** Place of a thread: its numbers, its names in messages, and its project. */
export function locateThread(
  key: GitLabTaskKey,
  projects: GitLabProjects,
): Pick<GitLabThreadContext, 'key' | 'projectId' | 'iid' | 'project' | 'name' | 'findUrl'> {
  const projectId = Number(key.projectId);
  const project = projects.find(projectId)?.path_with_namespace ?? `project ${key.projectId}`;
  const [mark, iid] = key.type === 'gitlab_issue' ? ['#', key.issueIid] : ['!', key.mrIid];
  const kind = key.type === 'gitlab_issue' ? 'issues' : 'merge_requests';
  const findUrl = () => {
    const known = projects.find(projectId);
    return known === null ? null : `${known.web_url}/-/${kind}/${iid}`;
  };
  return {
    key,
    projectId,
    iid,
    project,
    name: `${project}${mark}${iid}`,
    findUrl,
  };
}
