import { readCommit } from '../../shared/git/commits.ts';
import { listRefs } from '../../shared/git/refs.ts';
import { ok } from '../http/answers.ts';
import { paged } from '../http/pagination.ts';
import { onRepository, type RepositoryCall, reads } from '../http/requirements.ts';
import { type Answer, parameter, type Route, route } from '../http/route.ts';
import { repositoryApi, repositoryPage } from '../http/urls.ts';
import { notFound } from '../state/refusal.ts';
import type { Vendor } from '../vendor.ts';
import { showCommit } from '../views/git-view.ts';

const address = '/repos/{owner}/{repo}/branches';
const docs = 'branches/branches';

/** Branches. Those with a slash are addressed with it, encoded or not. */
export const branchRoutes: readonly Route[] = [
  route(`GET ${address}`, `${docs}#list-branches`, onRepository(reads('contents'), listBranches)),
  route(
    'GET /repos/{owner}/{repo}/rules/branches/{branch+}',
    'repos/rules#get-rules-for-a-branch',
    onRepository(reads(), listRules),
  ),
  route(`GET ${address}/{branch+}`, `${docs}#get-a-branch`, onRepository(reads('contents'), getBranch)),
];

async function listBranches(call: RepositoryCall): Promise<Answer> {
  const branches = await readBranches(call);
  const isProtected = call.query.get('protected');
  const shown =
    isProtected === null
      ? branches
      : branches.filter(({ name }) => String(call.repository.protectedBranches.has(name)) === isProtected);
  return paged(call, shown, ({ name, sha }): Vendor['short-branch'] => ({
    name,
    commit: { sha, url: `${repositoryApi(call.urls, call.repository)}/commits/${sha}` },
    ...showProtection(call, name),
  }));
}

async function getBranch(call: RepositoryCall): Promise<Answer> {
  const wanted = parameter(call, 'branch');
  const branch = (await readBranches(call)).find(({ name }) => name === wanted);
  const commit = branch && (await readCommit(call.git, call.repository.gitDirectory, branch.sha));
  if (!branch || !commit) throw notFound('Branch not found');
  const body: Vendor['branch-with-protection'] = {
    name: branch.name,
    commit: showCommit(call.repository, commit, call.urls),
    _links: {
      self: `${repositoryApi(call.urls, call.repository)}/branches/${branch.name}`,
      html: `${repositoryPage(call.urls, call.repository)}/tree/${branch.name}`,
    },
    ...showProtection(call, branch.name),
  };
  return ok(body);
}

/** A ruleset of the simulator keeps everybody from pushing; its rules in words are those of git's refusal. */
function listRules(call: RepositoryCall): Answer {
  const { ruleset } = call.repository;
  const branch = parameter(call, 'branch');
  const [head = '', tail] = ruleset?.branches.split('*') ?? [];
  const isMatch = tail === undefined ? branch === head : branch.startsWith(head) && branch.endsWith(tail);
  const isMeant = ruleset !== null && isMatch;
  return ok(isMeant ? [{ type: 'pull_request', ruleset_source_type: 'Repository', ruleset_id: 1 }] : []);
}

function showProtection(call: RepositoryCall, branch: string) {
  const required = call.repository.checks.required.get(branch);
  const enabled = required !== undefined || call.repository.protectedBranches.has(branch);
  const contexts = [...(required?.names ?? [])];
  const checks = contexts.map((context) => ({ context, app_id: null }));
  const level = required ? 'non_admins' : 'off';
  return {
    protected: enabled,
    protection: { enabled, required_status_checks: { enforcement_level: level, contexts, checks } },
    protection_url: `${repositoryApi(call.urls, call.repository)}/branches/${branch}/protection`,
  };
}

async function readBranches(call: RepositoryCall) {
  const refs = await listRefs(call.git, call.repository.gitDirectory, 'refs/heads/');
  return refs.map(({ name, sha }) => ({ name: name.slice('refs/heads/'.length), sha }));
}
