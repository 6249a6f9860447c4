import { z } from 'zod';
import { boolean, inputOf } from '../http/input.ts';
import { paged } from '../http/pagination.ts';
import { onProject, type ProjectCall } from '../http/requirements.ts';
import { type Answer, type Call, ok, parameter, type Route, route } from '../http/route.ts';
import { readBranches } from '../merge-requests/branches.ts';
import { levelOf, maySee, namespaceOf } from '../state/access.ts';
import type { Project } from '../state/model.ts';
import { notFound } from '../state/refusal.ts';
import { showProject } from '../views/project-view.ts';

/** Projects. @see https://docs.gitlab.com/api/projects/ */
export const projectRoutes: readonly Route[] = [
  route('GET /projects', listProjects),
  route('GET /projects/{id}', onProject(getProject)),
  route('GET /groups/{id}/projects', listGroupProjects),
  route('GET /users/{user_id}/projects', listUserProjects),
];

const filter = z.object({
  membership: boolean.default(false),
  search: z.string().optional(),
  visibility: z.enum(['public', 'internal', 'private']).optional(),
});

async function listProjects(call: Call): Promise<Answer> {
  const { membership, search, visibility } = inputOf(call, filter);
  const projects = [...call.state.projects.values()].filter((project) => {
    if (!maySee(call.state, project, call.viewer)) return false;
    if (membership && levelOf(call.state, project, call.viewer) === 0) return false;
    if (visibility && project.visibility !== visibility) return false;
    return !search || project.path.toLowerCase().includes(search.toLowerCase());
  });
  return showList(call, projects);
}

const groupFilter = z.object({
  include_subgroups: boolean.default(false),
  order_by: z.string().optional(),
  sort: z.enum(['asc', 'desc']).default('desc'),
});

/** Projects that were shared with the group are not among them here. @see https://docs.gitlab.com/api/groups/#list-projects */
async function listGroupProjects(call: Call): Promise<Answer> {
  const group = parameter(call, 'id').toLowerCase();
  const { include_subgroups: deep, sort } = inputOf(call, groupFilter);
  const below = [...call.state.projects.values()].filter((project) => {
    const namespace = namespaceOf(project).toLowerCase();
    return namespace === group || (deep && namespace.startsWith(`${group}/`));
  });
  const seen = below.filter((project) => maySee(call.state, project, call.viewer));
  if (!call.state.groups.has(group) || (below.length > 0 && seen.length === 0)) throw notFound('Group');
  return showList(call, seen, sort);
}

/** Projects of a user's own namespace. @see https://docs.gitlab.com/api/projects/#list-a-users-projects */
async function listUserProjects(call: Call): Promise<Answer> {
  const user = parameter(call, 'user_id').toLowerCase();
  if (!call.state.users.has(user)) throw notFound('User');
  const own = [...call.state.projects.values()].filter(
    (project) => namespaceOf(project).toLowerCase() === user && maySee(call.state, project, call.viewer),
  );
  return showList(call, own);
}

/** One page of them, by default the youngest first. */
async function showList(
  call: Call,
  projects: readonly Project[],
  sort: 'asc' | 'desc' = 'desc',
): Promise<Answer> {
  const sorted = projects.toSorted((one, other) => (sort === 'asc' ? one.id - other.id : other.id - one.id));
  const cut: Project[] = [];
  const page = paged(call, sorted, { show: (project) => cut.push(project) });
  const body = await Promise.all(
    cut.map(async (project) => {
      const isEmpty = (await readBranches(call, project)).size === 0;
      return showProject(call, project, { isEmpty, viewer: call.viewer });
    }),
  );
  return { ...page, body };
}

async function getProject(call: ProjectCall): Promise<Answer> {
  const { project, viewer } = call;
  const isEmpty = (await readBranches(call, project)).size === 0;
  return ok(showProject(call, project, { isEmpty, viewer }));
}
