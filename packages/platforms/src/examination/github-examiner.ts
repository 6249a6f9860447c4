import { z } from 'zod';
import {
  createProbe,
  type ExaminerOptions,
  examineAccess,
  examineTrigger,
  type RepositoryExaminer,
  type RepositoryFinding,
  type RepositoryProbe,
  toInvisible,
} from './repository-probe.ts';

const repositorySchema = z.object({
  clone_url: z.string(),
  archived: z.boolean().nullish(),
  has_issues: z.boolean().nullish(),
  default_branch: z.string().nullish(),
});

const protectionSchema = z.object({ protected: z.boolean() });
const rulesSchema = z.array(z.object({ type: z.string() }));

type Repository = z.infer<typeof repositorySchema>;

/**
 * Finds the page on which tokens are made, for an API at this address.
 *
 * @see https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/managing-your-personal-access-tokens
 */
export function findGitHubTokenPage(baseUrl: string): string {
  return `${toSite(baseUrl)}/settings/personal-access-tokens`;
}

/** Finds the site on which people look at what this API serves. */
function toSite(baseUrl: string): string {
  const { origin, host } = new URL(baseUrl);
  return host === 'api.github.com' ? 'https://github.com' : origin;
}

/**
 * Creates what examines repositories of GitHub.
 *
 * @example
 * const examine = createGitHubExaminer({ baseUrl: 'https://api.github.com', token, login: 'robot', trigger: { kind: 'mention' }, askGit });
 * for await (const finding of examine('octo/hello')) console.log(finding);
 */
export function createGitHubExaminer(options: ExaminerOptions): RepositoryExaminer {
  const { baseUrl, token } = options;
  const probe = createProbe(
    {
      base: baseUrl.replace(/(?<!\/)\/+$/, ''),
      headers: { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' },
      username: 'x-access-token',
    },
    options,
  );
  const site = toSite(baseUrl);
  return (path) => examineRepository(probe, { path, settings: `${site}/${path}/settings` });
}

async function* examineRepository(
  probe: RepositoryProbe,
  { path, settings: url }: { readonly path: string; readonly settings: string },
): AsyncGenerator<RepositoryFinding> {
  const answer = await probe.ask(`/repos/${path}`);
  const { status, json } = answer;
  const { data: repository } = repositorySchema.safeParse(json);
  if (status !== 200 || repository === undefined) {
    yield toInvisible(answer);
    return;
  }
  if (repository.archived === true) {
    yield { kind: 'archived', url };
    return;
  }
  if (repository.has_issues === false) yield { kind: 'issues-off', url };
  const askRights = () => probeRights(probe, { path, repository });
  yield* examineAccess(probe, { askRights, cloneUrl: repository.clone_url });
  yield* examineProtection(probe, { path, repository, url });
  yield* examineChecks(probe, { path, repository });
  yield* examineTrigger(probe, {
    label: (label) => `/repos/${path}/labels/${label}`,
    // https://docs.github.com/en/rest/issues/assignees#check-if-a-user-can-be-assigned
    askAssignable: async (login) => {
      const { status } = await probe.ask(`/repos/${path}/assignees/${encodeURIComponent(login)}`);
      return status === 204 ? true : status === 404 ? false : null;
    },
  });
}

/** Kinds of rules that keep an account from pushing to a branch. */
const pushRules = new Set(['pull_request', 'update', 'merge_queue', 'required_status_checks']);

/**
 * Tells that nothing keeps the account from pushing to the default branch: neither a protection nor a ruleset.
 *
 * @see https://docs.github.com/en/rest/branches/branches#get-a-branch
 * @see https://docs.github.com/en/rest/repos/rules#get-rules-for-a-branch
 */
async function* examineProtection(
  { ask }: RepositoryProbe,
  { path, repository, url }: { readonly path: string; readonly repository: Repository; readonly url: string },
): AsyncGenerator<RepositoryFinding> {
  const branch = repository.default_branch;
  if (branch == null) return;
  const name = encodeURIComponent(branch);
  const found = protectionSchema.safeParse((await ask(`/repos/${path}/branches/${name}`)).json);
  if (!found.success || found.data.protected) return;
  const rules = rulesSchema.safeParse((await ask(`/repos/${path}/rules/branches/${name}`)).json);
  if (rules.success && rules.data.some(({ type }) => pushRules.has(type))) return;
  yield { kind: 'default-branch-open', branch, url: `${url}/branches` };
}

/**
 * Tells how checks are heard. Fine-grained tokens have no permission for them.
 *
 * @see https://docs.github.com/en/rest/authentication/permissions-required-for-fine-grained-personal-access-tokens
 */
async function* examineChecks(
  { ask }: RepositoryProbe,
  { path, repository }: { readonly path: string; readonly repository: Repository },
): AsyncGenerator<RepositoryFinding> {
  const branch = encodeURIComponent(repository.default_branch ?? 'HEAD');
  const { status } = await ask(`/repos/${path}/commits/${branch}/check-runs?per_page=1`);
  if (status !== 403) return;
  const jobs = await ask(`/repos/${path}/actions/runs?per_page=1`);
  yield { kind: 'checks-hidden', shown: jobs.status === 200 ? 'jobs' : 'nothing' };
}

/**
 * Asks for each right with a request that cannot succeed: without content it is refused with 422, without the
 * right with 403 or 404, which comes first.
 */
async function probeRights(
  { ask, askPush }: RepositoryProbe,
  { path, repository }: { readonly path: string; readonly repository: Repository },
) {
  // Labels may be made with the right to pull requests as well, so issues are asked for by an issue where there are any.
  const issues = repository.has_issues === false ? 'labels' : 'issues';
  return [
    { right: 'contents: write', granted: 200, answer: await askPush(repository.clone_url) },
    { right: 'issues: write', granted: 422, answer: await ask(`/repos/${path}/${issues}`, {}) },
    { right: 'pull requests: write', granted: 422, answer: await ask(`/repos/${path}/pulls`, {}) },
  ];
}
