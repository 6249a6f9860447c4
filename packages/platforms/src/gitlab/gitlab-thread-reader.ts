import { Issues, MergeRequests } from '@gitbeaker/rest';
import type { CallOptions, ThreadReader } from '../ports.ts';
import { toChangeRequest, toThread } from './convert.ts';
import type { GitLabThreadContext } from './gitlab-context.ts';
import {
  type GitLabIssue,
  type GitLabMergeRequest,
  issueSchema,
  mergeRequestSchema,
} from './gitlab-schemas.ts';

/** Reads an issue or a merge request, which GitLab numbers apart. */
export function createGitLabThreadReader(context: GitLabThreadContext): ThreadReader {
  const { key } = context;
  return {
    readThread: async ({ signal }: CallOptions = {}) => {
      if (key.type === 'gitlab_issue') {
        return toThread(await readIssue(context, { signal }), { key, changeRequest: null });
      }
      const mergeRequest = await readMergeRequest(context, { signal });
      return toThread(mergeRequest, { key, changeRequest: toChangeRequest(mergeRequest) });
    },
  };
}

/** @see https://docs.gitlab.com/api/issues/#single-project-issue */
function readIssue(
  { client, projectId, project, iid, name }: GitLabThreadContext,
  { signal }: CallOptions,
): Promise<GitLabIssue> {
  const call = {
    doing: `read ${name}`,
    repository: project,
    permission: 'scope api',
    route: 'GET /projects/{id}/issues/{issue_iid}',
    signal,
  };
  return client.ask({ ...call, send: (bound) => new Issues(bound).show(iid, { projectId }) }, issueSchema);
}

/** @see https://docs.gitlab.com/api/merge_requests/#get-single-mr */
function readMergeRequest(
  { client, projectId, project, iid, name }: GitLabThreadContext,
  { signal }: CallOptions,
): Promise<GitLabMergeRequest> {
  const call = {
    doing: `read ${name}`,
    repository: project,
    permission: 'scope api',
    route: 'GET /projects/{id}/merge_requests/{merge_request_iid}',
    signal,
  };
  return client.ask(
    { ...call, send: (bound) => new MergeRequests(bound).show(projectId, iid) },
    mergeRequestSchema,
  );
}
