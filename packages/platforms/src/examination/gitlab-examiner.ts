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

const access = z.object({ access_level: z.number() }).nullish();

const projectSchema = z.object({
  http_url_to_repo: z.string(),
  web_url: z.string(),
  default_branch: z.string().nullish(),
  archived: z.boolean().nullish(),
  permissions: z.object({ project_access: access, group_access: access }).nullish(),
});

const branchSchema = z.object({ can_push: z.boolean() });

/** People give threads to members: nobody else is offered to them as an assignee. */
const membersSchema = z.array(z.object({ username: z.string() }));

/** @see https://docs.gitlab.com/api/access_requests/#valid-access-levels */
const developer = 30;

/**
 * Finds the page on which tokens are made, for a GitLab at this address.
 *
 * @see https://docs.gitlab.com/user/profile/personal_access_tokens/
 */
export function findGitLabTokenPage(baseUrl: string): string {
  return `${withoutSlashes(new URL(baseUrl).href)}/-/user_settings/personal_access_tokens`;
}

function withoutSlashes(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '');
}

/**
 * Creates what examines projects of GitLab.
 *
 * @example
 * const examine = createGitLabExaminer({ baseUrl: 'https://gitlab.com', token, login: 'robot', trigger: { kind: 'mention' }, askGit });
 * for await (const finding of examine('acme/tools/shop')) console.log(finding);
 */
export function createGitLabExaminer(options: ExaminerOptions): RepositoryExaminer {
  const { baseUrl, token } = options;
  const api = {
    base: `${withoutSlashes(baseUrl)}/api/v4`,
    headers: { 'private-token': token, 'content-type': 'application/json' },
    username: 'oauth2',
  };
  const probe = createProbe(api, options);
  return (path) => examineProject(probe, path);
}

async function* examineProject(probe: RepositoryProbe, path: string): AsyncGenerator<RepositoryFinding> {
  const address = `/projects/${encodeURIComponent(path)}`;
  const answer = await probe.ask(address);
  const { status, json } = answer;
  const { data: project } = projectSchema.safeParse(json);
  if (status !== 200 || project === undefined) {
    yield toInvisible(answer);
    return;
  }
  const { archived, permissions, web_url: page, http_url_to_repo: cloneUrl } = project;
  if (archived === true) {
    yield { kind: 'archived', url: `${page}/edit` };
    return;
  }
  const levels = [permissions?.project_access, permissions?.group_access];
  const level = Math.max(0, ...levels.map((one) => one?.access_level ?? 0));
  if (level > 0 && level < developer) {
    yield { kind: 'role-too-low', level, url: `${page}/-/project_members` };
    return;
  }
  // Without a name it is refused with 400, without the scope with 403, which comes first.
  const askRights = async () => [
    { right: 'write_repository', granted: 200, answer: await probe.askPush(cloneUrl) },
    { right: 'api', granted: 400, answer: await probe.ask(`${address}/labels`, {}) },
  ];
  yield* examineAccess(probe, { askRights, cloneUrl });
  yield* examineProtection(probe, { address, page, branch: project.default_branch });
  yield* examineTrigger(probe, {
    label: (label) => `${address}/labels/${label}`,
    // https://docs.gitlab.com/api/project_members/#list-all-members-of-a-project-including-inherited-and-invited-members
    askAssignable: async (login) => {
      const query = `query=${encodeURIComponent(login)}&per_page=100`;
      const members = membersSchema.safeParse((await probe.ask(`${address}/members/all?${query}`)).json);
      return members.success ? members.data.some(({ username }) => username === login) : null;
    },
  });
}

/**
 * Tells that the account can push to the default branch itself.
 *
 * @see https://docs.gitlab.com/api/branches/#get-single-repository-branch
 */
async function* examineProtection(
  { ask }: RepositoryProbe,
  {
    address,
    page,
    branch,
  }: { readonly address: string; readonly page: string; readonly branch: string | null | undefined },
): AsyncGenerator<RepositoryFinding> {
  if (branch == null) return;
  const { json } = await ask(`${address}/repository/branches/${encodeURIComponent(branch)}`);
  const found = branchSchema.safeParse(json);
  if (!found.success || !found.data.can_push) return;
  yield { kind: 'default-branch-open', branch, url: `${page}/-/settings/repository` };
}
