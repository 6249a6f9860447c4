import { z } from 'zod';
import { boolean, inputOf } from '../http/input.ts';
import { paged } from '../http/pagination.ts';
import { onProject, type ProjectCall } from '../http/requirements.ts';
import { type Answer, type Call, ok, type Route, route } from '../http/route.ts';
import { readBranches } from '../merge-requests/branches.ts';
import { levelOf, maySee } from '../state/access.ts';
import { showProject } from '../views/project-view.ts';

/** Projects. @see https://docs.gitlab.com/api/projects/ */
export const projectRoutes: readonly Route[] = [
  route('GET /projects', listProjects),
  route('GET /projects/{id}', onProject(getProject)),
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
  const facts = await Promise.all(
    projects.map(async (project) => ({ project, isEmpty: (await readBranches(call, project)).size === 0 })),
  );
  const newestFirst = facts.sort((one, other) => other.project.id - one.project.id);
  return paged(call, newestFirst, {
    show: ({ project, isEmpty }) => showProject(call, project, { isEmpty, viewer: call.viewer }),
  });
}

async function getProject(call: ProjectCall): Promise<Answer> {
  const { project, viewer } = call;
  const isEmpty = (await readBranches(call, project)).size === 0;
  return ok(showProject(call, project, { isEmpty, viewer }));
}
