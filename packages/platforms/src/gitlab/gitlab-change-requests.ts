import { fitCommentBody, isSameBody } from '../comments/own-comment.ts';
import { writeOnce } from '../http/write-once.ts';
import type { Branch, BranchUse } from '../model.ts';
import { isNotFound, PlatformError } from '../platform-error.ts';
import type { CallOptions, ChangeRequestDraft, ChangeRequests, ReviewRequest } from '../ports.ts';
import {
  branchSchema,
  type GitLabMergeRequest,
  mergeRequestSchema,
  toChangeRequest,
} from './gitlab-answers.ts';
import type { GitLabCall } from './gitlab-client.ts';
import { escapeQuickActions } from './gitlab-comment-writer.ts';
import type { GitLabThreadContext } from './gitlab-context.ts';

const maxBodyChars = 1_000_000;
const maxTitleChars = 255;
const draftMark = 'Draft: ';

/** @see https://docs.gitlab.com/api/merge_requests/ */
export function createGitLabChangeRequests(context: GitLabThreadContext): ChangeRequests {
  return {
    listBranches: (options) => listProjectBranches(context, options),
    findChangeRequest: async ({ headBranch, signal }) => {
      const mergeRequest = await findNewest(context, { headBranch, signal });
      return mergeRequest === null ? null : toChangeRequest(mergeRequest);
    },
    describeBranch: (options) => describeProjectBranch(context, options),
    ensureDraft: async ({ signal, ...draft }) => {
      const compose = composing(context, draft);
      const look = async () => {
        const newest = await findNewest(context, { headBranch: draft.headBranch, signal });
        return newest?.state === 'opened' ? newest : null;
      };
      const write = () => open(context, { ...draft, body: compose(null), signal });
      const pause = () => context.settings.sleep(context.settings.recheckDelayMs, signal);
      const { result } = await writeOnce({ look, write }, { pause });
      const current = result.description ?? '';
      const body = compose(current);
      if (isSameBody(current, body)) return toChangeRequest(result);
      return toChangeRequest(await changeBody(context, { found: result, body, signal }));
    },
    requestReview: (request) => requestReview(context, request),
  };
}

/** Lines of a description are quick actions too; those that stand there already are people's, or were escaped before. */
function composing(
  { settings }: GitLabThreadContext,
  { body, joinBody }: ChangeRequestDraft,
): (current: string | null) => string {
  return (current) => {
    const standing = new Set((current ?? '').split(/\r?\n/u));
    const lines = joinBody(current, body).split('\n');
    const escaped = lines.map((line) => (standing.has(line) ? line : escapeQuickActions(line)));
    return fitCommentBody(escaped.join('\n'), { maxChars: maxBodyChars, locale: settings.locale });
  };
}

async function findNewest(
  context: GitLabThreadContext,
  { headBranch, signal }: { readonly headBranch: string } & CallOptions,
): Promise<GitLabMergeRequest | null> {
  const { client, projectId, project } = context;
  const { data } = await client.askPage(
    {
      doing: `find the merge request from ${headBranch} in ${project}`,
      repository: project,
      route: 'GET /projects/{id}/merge_requests',
      send: (bound, page) =>
        new bound.gitbeaker.MergeRequests(bound).all({
          projectId,
          sourceBranch: headBranch,
          scope: 'all',
          orderBy: 'created_at',
          sort: 'desc',
          ...page,
        }),
      signal,
    },
    mergeRequestSchema,
  );
  const own = data.filter(
    (one) => one.source_branch === headBranch && one.source_project_id === context.projectId,
  );
  return own.sort((one, other) => other.iid - one.iid)[0] ?? null;
}

type Opening = Omit<ChangeRequestDraft, 'joinBody'>;

async function open(
  context: GitLabThreadContext,
  { headBranch, baseBranch, title, body, signal }: Opening & CallOptions,
): Promise<GitLabMergeRequest> {
  const { projectId, project } = context;
  await requireBranch(context, { name: headBranch, signal });
  const description = { description: body };
  const shown = draftMark + [...title].slice(0, maxTitleChars - draftMark.length).join('');
  return write(context, {
    doing: `open a merge request from ${headBranch} into ${baseBranch} in ${project}`,
    route: 'POST /projects/{id}/merge_requests',
    send: (bound) =>
      new bound.gitbeaker.MergeRequests(bound).create(projectId, headBranch, baseBranch, shown, description),
    signal,
  });
}

function changeBody(
  context: GitLabThreadContext,
  { found, body, signal }: { readonly found: GitLabMergeRequest; readonly body: string } & CallOptions,
): Promise<GitLabMergeRequest> {
  return write(context, {
    doing: `bring the merge request ${context.project}!${found.iid} up to date`,
    route: 'PUT /projects/{id}/merge_requests/{merge_request_iid}',
    send: (bound) =>
      new bound.gitbeaker.MergeRequests(bound).edit(context.projectId, found.iid, { description: body }),
    signal,
  });
}

/**
 * Adds a reviewer to those that are there. GitLab ignores an account that cannot be one, and without a license keeps the first alone.
 *
 * @see https://docs.gitlab.com/api/merge_requests/#update-a-merge-request
 */
async function requestReview(
  context: GitLabThreadContext,
  { number, account, signal }: ReviewRequest & CallOptions,
): Promise<void> {
  const { client, projectId, project } = context;
  const call = {
    doing: `request a review of ${project}!${number} from ${account.login}`,
    route: 'GET /projects/{id}/merge_requests/{merge_request_iid}',
    signal,
  };
  const read = { ...call, repository: project };
  const { reviewers } = await client.ask(
    { ...read, send: (bound) => new bound.gitbeaker.MergeRequests(bound).show(projectId, number) },
    mergeRequestSchema,
  );
  const ids = (reviewers ?? []).map(({ id }) => id);
  if (ids.some((id) => String(id) === account.id)) return;
  const reviewerIds = [...ids, Number(account.id)];
  await write(context, {
    ...call,
    route: 'PUT /projects/{id}/merge_requests/{merge_request_iid}',
    send: (bound) => new bound.gitbeaker.MergeRequests(bound).edit(projectId, number, { reviewerIds }),
  });
}

function write(
  { client, project }: GitLabThreadContext,
  call: Omit<GitLabCall, 'repository'>,
): Promise<GitLabMergeRequest> {
  return client.ask({ ...call, repository: project }, mergeRequestSchema);
}

/**
 * Branches whose name begins with the prefix, sorted by name.
 *
 * @see https://docs.gitlab.com/api/branches/#list-repository-branches
 */
async function listProjectBranches(
  { client, projectId, project }: GitLabThreadContext,
  { prefix, signal }: { readonly prefix: string } & CallOptions,
): Promise<readonly Branch[]> {
  const call = {
    doing: `list the branches of ${project} that begin with ${prefix}`,
    repository: project,
    route: 'GET /projects/{id}/repository/branches',
    signal,
  };
  const branches = await client.askAll(
    {
      ...call,
      send: (bound, page) =>
        new bound.gitbeaker.Branches(bound).all(projectId, { search: `^${prefix}`, ...page }),
    },
    branchSchema,
  );
  return branches
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ name, commit }) => ({ name, sha: commit.id }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** @see https://docs.gitlab.com/api/branches/#get-single-repository-branch */
async function describeProjectBranch(
  { client, projectId, project }: GitLabThreadContext,
  { branch, signal }: { readonly branch: string } & CallOptions,
): Promise<BranchUse> {
  const found = await client
    .ask(
      {
        doing: `read the branch ${branch} of ${project}`,
        repository: project,
        route: 'GET /projects/{id}/repository/branches/{branch}',
        send: (bound) => new bound.gitbeaker.Branches(bound).show(projectId, branch),
        signal,
      },
      branchSchema,
    )
    .catch((error: unknown) => {
      if (isNotFound(error)) return null;
      throw error;
    });
  if (found === null) return { protected: false, baseOf: [] };
  const open = await client.askAll(
    {
      doing: `list open merge requests into ${branch} of ${project}`,
      repository: project,
      route: 'GET /projects/{id}/merge_requests',
      send: (bound, page) =>
        new bound.gitbeaker.MergeRequests(bound).all({
          projectId,
          targetBranch: branch,
          state: 'opened',
          ...page,
        }),
      signal,
    },
    mergeRequestSchema,
  );
  const into = open.filter((one) => one.target_branch === branch);
  return { protected: found.protected === true, baseOf: into.map(({ iid }) => iid) };
}

/**
 * GitLab opens merge requests from branches that are not there; nobody can do anything with them.
 *
 * @throws PlatformError `invalid` when the branch was not pushed
 */
async function requireBranch(
  { client, projectId, project }: GitLabThreadContext,
  { name, signal }: { readonly name: string } & CallOptions,
): Promise<void> {
  const call = {
    doing: `find the branch ${name} in ${project}`,
    repository: project,
    route: 'GET /projects/{id}/repository/branches/{branch}',
    signal,
  };
  try {
    await client.ask(
      { ...call, send: (bound) => new bound.gitbeaker.Branches(bound).show(projectId, name) },
      branchSchema,
    );
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const message = `There is no branch ${name} in ${project}: push it before its merge request is opened.`;
    throw new PlatformError(message, { code: 'invalid', cause: error });
  }
}
