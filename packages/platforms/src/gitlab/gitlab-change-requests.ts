import { MergeRequests } from '@gitbeaker/rest';
import { fitCommentBody, isSameBody } from '../own-comment.ts';
import type { CallOptions, ChangeRequestDraft, ChangeRequests } from '../ports.ts';
import { writeOnce } from '../write-once.ts';
import { toChangeRequest } from './convert.ts';
import { escapeQuickActions } from './escape-quick-actions.ts';
import { listProjectBranches, requireBranch } from './gitlab-branches.ts';
import type { GitLabCall } from './gitlab-client.ts';
import type { GitLabThreadContext } from './gitlab-context.ts';
import { type GitLabMergeRequest, mergeRequestSchema } from './gitlab-schemas.ts';

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
    ensureDraft: async ({ signal, ...draft }) => {
      const compose = composing(context, draft);
      const look = async () => {
        const newest = await findNewest(context, { headBranch: draft.headBranch, signal });
        return newest?.state === 'opened' ? newest : null;
      };
      const write = () => open(context, { ...draft, body: compose(null), signal });
      const pause = () => context.settings.sleep(context.settings.lookAgainDelayMs, signal);
      const { result } = await writeOnce({ look, write }, { pause });
      const current = result.description ?? '';
      const body = compose(current);
      if (isSameBody(current, body)) return toChangeRequest(result);
      return toChangeRequest(await changeBody(context, { found: result, body, signal }));
    },
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
      permission: 'scope api',
      route: 'GET /projects/{id}/merge_requests',
      send: (bound, page) =>
        new MergeRequests(bound).all({
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
    send: (bound) => new MergeRequests(bound).create(projectId, headBranch, baseBranch, shown, description),
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
    send: (bound) => new MergeRequests(bound).edit(context.projectId, found.iid, { description: body }),
    signal,
  });
}

function write(
  { client, project }: GitLabThreadContext,
  call: Omit<GitLabCall, 'repository' | 'permission'>,
): Promise<GitLabMergeRequest> {
  return client.ask({ ...call, repository: project, permission: 'scope api' }, mergeRequestSchema);
}
