import * as z from 'zod';
import { fitCommentBody, isSameBody } from '../comments/own-comment.ts';
import { writeOnce } from '../http/write-once.ts';
import type { Branch, BranchUse } from '../model.ts';
import { isNotFound, PlatformError } from '../platform-error.ts';
import type { CallOptions, ChangeRequestDraft, ChangeRequests, ReviewRequest } from '../ports.ts';
import { type GitHubPull, pullSchema, refSchema, toChangeRequest } from './github-answers.ts';
import type { GitHubThreadContext } from './github-context.ts';

const maxBodyChars = 65_536;
const maxTitleChars = 256;
const pulls = 'pull_requests: write';

/** @see https://docs.github.com/en/rest/pulls/pulls */
export function createGitHubChangeRequests(context: GitHubThreadContext): ChangeRequests {
  return {
    listBranches: (options) => listRepositoryBranches(context, options),
    findChangeRequest: async (options) => {
      const pull = await findNewestPull(context, options);
      return pull === null ? null : toChangeRequest(pull);
    },
    describeBranch: (options) => describeRepositoryBranch(context, options),
    ensureDraft: async ({ signal, ...draft }) => {
      const shorten = shortening(context);
      const look = async () => {
        const pull = await findNewestPull(context, { headBranch: draft.headBranch, signal });
        return pull?.state === 'open' ? pull : null;
      };
      const write = () =>
        openPull(context, { ...draft, body: shorten(draft.joinBody(null, draft.body)), signal });
      const pause = () => context.settings.sleep(context.settings.recheckDelayMs, signal);
      const { result } = await writeOnce({ look, write }, { pause });
      const current = result.body ?? '';
      const wanted = shorten(draft.joinBody(current, draft.body));
      if (isSameBody(current, wanted)) return toChangeRequest(result);
      return toChangeRequest(await changeBody(context, { pull: result, body: wanted, signal }));
    },
    requestReview: (request) => requestReview(context, request),
  };
}

function shortening({ settings }: GitHubThreadContext): (body: string) => string {
  return (body) => fitCommentBody(body, { maxChars: maxBodyChars, locale: settings.locale });
}

async function findNewestPull(
  { client, place, repository }: GitHubThreadContext,
  { headBranch, signal }: { readonly headBranch: string } & CallOptions,
): Promise<GitHubPull | null> {
  const { data } = await client.ask(
    {
      doing: `find the pull request from ${headBranch} in ${repository}`,
      repository,
      permission: 'pull_requests: read',
      route: 'GET /repos/{owner}/{repo}/pulls',
      parameters: {
        ...place,
        head: `${place.owner}:${headBranch}`,
        state: 'all',
        sort: 'created',
        direction: 'desc',
        per_page: 100,
      },
      signal,
    },
    z.array(pullSchema),
  );
  const own = data.filter(({ head }) => head.ref === headBranch && isIn(repository, head.repo?.full_name));
  return own.sort((one, other) => other.number - one.number)[0] ?? null;
}

/** A fork that was deleted has no name; its branch is not ours. */
function isIn(repository: string, fullName: string | undefined): boolean {
  return fullName?.toLowerCase() === repository.toLowerCase();
}

type Opening = Omit<ChangeRequestDraft, 'joinBody'> & CallOptions;

/** Plans without drafts refuse one; an ordinary pull request is the next best. */
async function openPull(context: GitHubThreadContext, opening: Opening): Promise<GitHubPull> {
  try {
    return await createPull(context, { ...opening, draft: true });
  } catch (error) {
    if (!(PlatformError.isInstance(error) && /draft pull requests are not supported/iu.test(error.message)))
      throw error;
    return createPull(context, { ...opening, draft: false });
  }
}

async function createPull(
  { client, place, repository }: GitHubThreadContext,
  { headBranch, baseBranch, title, body, draft, signal }: Opening & { readonly draft: boolean },
): Promise<GitHubPull> {
  const { data } = await client.ask(
    {
      doing: `open a pull request from ${headBranch} into ${baseBranch} in ${repository}`,
      repository,
      permission: pulls,
      route: 'POST /repos/{owner}/{repo}/pulls',
      parameters: { ...place, head: headBranch, base: baseBranch, title: cutTitle(title), body, draft },
      signal,
    },
    pullSchema,
  );
  return data;
}

function cutTitle(title: string): string {
  return [...title].slice(0, maxTitleChars).join('');
}

async function changeBody(
  { client, place, repository }: GitHubThreadContext,
  { pull, body, signal }: { readonly pull: GitHubPull; readonly body: string } & CallOptions,
): Promise<GitHubPull> {
  const { data } = await client.ask(
    {
      doing: `bring the pull request ${repository}#${pull.number} up to date`,
      repository,
      permission: pulls,
      route: 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}',
      parameters: { ...place, pull_number: pull.number, body },
      signal,
    },
    pullSchema,
  );
  return data;
}

/**
 * GitHub refuses the author of the pull request and accounts without access to the repository.
 *
 * @see https://docs.github.com/en/rest/pulls/review-requests#request-reviewers-for-a-pull-request
 */
async function requestReview(
  { client, place, repository }: GitHubThreadContext,
  { number, account: { login }, signal }: ReviewRequest & CallOptions,
): Promise<void> {
  await client.ask(
    {
      doing: `request a review of ${repository}#${number} from ${login}`,
      repository,
      permission: pulls,
      route: 'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers',
      parameters: { ...place, pull_number: number, reviewers: [login] },
      signal,
    },
    z.unknown(),
  );
}

/** @see https://docs.github.com/en/rest/branches/branches#get-a-branch */
async function describeRepositoryBranch(
  { client, place, repository }: GitHubThreadContext,
  { branch, signal }: { readonly branch: string } & CallOptions,
): Promise<BranchUse> {
  const found = await client
    .ask(
      {
        doing: `read the branch ${branch} of ${repository}`,
        repository,
        permission: 'contents: read',
        route: 'GET /repos/{owner}/{repo}/branches/{branch}',
        parameters: { ...place, branch },
        signal,
      },
      z.object({ protected: z.boolean().nullish() }),
    )
    .catch((error: unknown) => {
      if (isNotFound(error)) return null;
      throw error;
    });
  if (found === null) return { protected: false, baseOf: [] };
  const open = await client.askAll(
    {
      doing: `list open pull requests into ${branch} of ${repository}`,
      repository,
      permission: 'pull_requests: read',
      route: 'GET /repos/{owner}/{repo}/pulls',
      parameters: { ...place, base: branch, state: 'open', per_page: 100 },
      signal,
    },
    pullSchema,
  );
  const into = open.filter(({ base }) => base.ref === branch);
  return { protected: found.data.protected === true, baseOf: into.map(({ number }) => number) };
}

const heads = 'refs/heads/';

/**
 * Branches whose name begins with the prefix, sorted by name.
 *
 * @see https://docs.github.com/en/rest/git/refs#list-matching-references
 */
async function listRepositoryBranches(
  { client, place, repository }: GitHubThreadContext,
  { prefix, signal }: { readonly prefix: string } & CallOptions,
): Promise<readonly Branch[]> {
  const call = {
    doing: `list the branches of ${repository} that begin with ${prefix}`,
    repository,
    permission: 'contents: read',
    route: 'GET /repos/{owner}/{repo}/git/matching-refs/{ref}',
    parameters: { ...place, ref: `heads/${prefix}` },
    signal,
  };
  try {
    return (await client.askAll(call, refSchema))
      .filter(({ ref }) => ref.startsWith(heads + prefix))
      .map(({ ref, object }) => ({ name: ref.slice(heads.length), sha: object.sha }))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    // 409 is what a repository without commits answers: it has no branches.
    if (PlatformError.isInstance(error) && error.code === 'conflict') return [];
    throw error;
  }
}
