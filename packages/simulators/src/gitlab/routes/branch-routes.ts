import { z } from 'zod';
import { readCommit } from '../../shared/git/commits.ts';
import { resolveCommit, updateRef } from '../../shared/git/refs.ts';
import { filled, inputOf } from '../http/input.ts';
import { paged } from '../http/pagination.ts';
import { authenticated, onCode, type ProjectCall, requireLevel, viewerOf } from '../http/requirements.ts';
import { type Answer, created, noContent, ok, parameter, type Route, route } from '../http/route.ts';
import { readBranches } from '../merge-requests/branches.ts';
import { syncAfterPush } from '../merge-requests/sync-merge-requests.ts';
import { accessLevels, mayPush } from '../state/access.ts';
import { badRequest, forbidden, notFound, refuse } from '../state/refusal.ts';
import { showBranch } from '../views/git-view.ts';

const branches = '/projects/{id}/repository/branches';

/** Branches. A slash in a name must be encoded in the address. @see https://docs.gitlab.com/api/branches/ */
export const branchRoutes: readonly Route[] = [
  route(`GET ${branches}`, onCode(listBranches)),
  route(`POST ${branches}`, authenticated(onCode(createBranch))),
  route(
    `GET ${branches}/{branch}`,
    onCode(async (call) => ok(await show(call, await findBranch(call)))),
  ),
  route(`DELETE ${branches}/{branch}`, authenticated(onCode(removeBranch))),
];

const listing = z.object({ search: z.string().optional(), regex: z.string().optional() });
const creation = z.object({ branch: filled, ref: filled });

interface Branch {
  readonly name: string;
  readonly sha: string;
}

async function listBranches(call: ProjectCall): Promise<Answer> {
  const { search, regex } = inputOf(call, listing);
  const found = [...(await readBranches(call, call.project))]
    .filter(([name]) => matches(name, search) && (regex === undefined || new RegExp(regex).test(name)))
    .map(([name, sha]) => ({ name, sha }));
  const shown = await Promise.all(found.map((branch) => show(call, branch)));
  return paged(call, shown, { show: (branch) => branch });
}

/** `^begin` and `end$` are understood. */
function matches(name: string, search: string | undefined): boolean {
  if (!search) return true;
  const [text, wanted] = [name.toLowerCase(), search.toLowerCase()];
  if (wanted.startsWith('^')) return text.startsWith(wanted.slice(1));
  return wanted.endsWith('$') ? text.endsWith(wanted.slice(0, -1)) : text.includes(wanted);
}

async function createBranch(call: ProjectCall): Promise<Answer> {
  requireLevel(call, accessLevels.developer);
  const { git, project } = call;
  const { branch: name, ref } = inputOf(call, creation);
  if ((await readBranches(call, project)).has(name)) throw refuse(400, 'Branch already exists');
  const isName = await git.tryRead(project.gitDirectory, ['check-ref-format', `refs/heads/${name}`]);
  if (isName === null) throw refuse(400, 'Branch name is invalid');
  const sha = await resolveCommit(git, project.gitDirectory, ref);
  if (!sha) throw refuse(400, `Failed to create branch '${name}': invalid reference name '${ref}'`);
  await updateRef(git, project.gitDirectory, { name: `refs/heads/${name}`, sha });
  await syncAfterPush(call, project, viewerOf(call));
  return created(await show(call, { name, sha }));
}

async function removeBranch(call: ProjectCall): Promise<Answer> {
  requireLevel(call, accessLevels.developer);
  const { name } = await findBranch(call);
  if (name === call.project.defaultBranch) throw badRequest('Cannot remove HEAD branch');
  if (call.project.protectedBranches.has(name)) throw forbidden('Branch is protected');
  if (!mayPush(call.state, call.project, { user: viewerOf(call), branch: name })) throw forbidden();
  await updateRef(call.git, call.project.gitDirectory, { name: `refs/heads/${name}`, sha: null });
  return noContent();
}

async function findBranch(call: ProjectCall): Promise<Branch> {
  const name = parameter(call, 'branch');
  const sha = (await readBranches(call, call.project)).get(name);
  if (!sha) throw notFound('Branch');
  return { name, sha };
}

async function show(call: ProjectCall, { name, sha }: Branch) {
  const commit = await readCommit(call.git, call.project.gitDirectory, sha);
  if (!commit) throw notFound('Branch');
  return showBranch(call, call.project, { name, commit, viewer: call.viewer });
}
