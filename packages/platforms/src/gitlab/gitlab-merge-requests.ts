import { MergeRequests } from '@gitbeaker/rest';
import type { ChangeRequest } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import type { CallOptions } from '../ports.ts';
import { toChangeRequest } from './convert.ts';
import type { GitLabThreadContext } from './gitlab-context.ts';
import { describeProject } from './gitlab-projects.ts';
import { type GitLabMergeRequest, type GitLabProject, mergeRequestSchema } from './gitlab-schemas.ts';

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

/** A merge request with the project that its branch is in. */
export async function describeMergeRequest(
  context: GitLabThreadContext,
  { mergeRequest, signal }: { readonly mergeRequest: GitLabMergeRequest } & CallOptions,
): Promise<ChangeRequest> {
  return toChangeRequest(mergeRequest, await findSourceProject(context, { mergeRequest, signal }));
}

/** Null when the fork was deleted, or is closed to us: nothing can be pushed to it. */
async function findSourceProject(
  context: GitLabThreadContext,
  { mergeRequest, signal }: { readonly mergeRequest: GitLabMergeRequest } & CallOptions,
): Promise<GitLabProject | null> {
  const { source_project_id: id } = mergeRequest;
  if (id == null) return null;
  if (id === context.projectId) return context.describeProject({ signal });
  try {
    return await describeProject(context.client, { id, name: `project ${id}`, signal });
  } catch (error) {
    if (PlatformError.isInstance(error) && ['not-found', 'forbidden'].includes(error.code)) return null;
    throw error;
  }
}
