import { MergeRequests } from '@gitbeaker/rest';
import type { CallOptions } from '../ports.ts';
import type { GitLabThreadContext } from './gitlab-context.ts';
import { type GitLabMergeRequest, mergeRequestSchema } from './gitlab-schemas.ts';

/** @see https://docs.gitlab.com/api/merge_requests/#get-single-mr */
export function readMergeRequest(
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
