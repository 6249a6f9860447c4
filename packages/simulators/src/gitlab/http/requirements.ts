import { levelOf, mayReadCode, maySee, maySeeThread } from '../state/access.ts';
import type { Project, Thread, User } from '../state/model.ts';
import { findProject } from '../state/projects.ts';
import { badParameters, forbidden, notFound, Refusal, refuse, unauthorized } from '../state/refusal.ts';
import { threadsOf } from '../state/threads.ts';
import { type Answer, type Call, type Handler, parameter } from './route.ts';

export interface ProjectCall extends Call {
  readonly project: Project;
  /** Access level of the asker in it; 0 for a stranger. */
  readonly level: number;
}

export interface ThreadCall extends ProjectCall {
  readonly thread: Thread;
}

/** A route that needs somebody. @throws {Refusal} 401 */
export function authenticated<Of extends Call>(handle: Handler<Of>): Handler<Of> {
  return (call) => {
    viewerOf(call);
    return handle(call);
  };
}

/**
 * A route below `/projects/{id}`: 404 where the project can't be seen. Under its former path reading is redirected to
 * the id and everything else gets 405.
 */
export function onProject(handle: Handler<ProjectCall>): Handler {
  return (call) => {
    const id = parameter(call, 'id');
    const project = findProject(call.state, id);
    if (!project || !maySee(call.state, project, call.viewer)) throw notFound('Project');
    if (!/^\d+$/.test(id) && id.toLowerCase() !== project.path.toLowerCase()) return moved(call, project);
    if (project.archived && call.method !== 'GET') throw archived(call);
    return handle({ ...call, project, level: levelOf(call.state, project, call.viewer) });
  };
}

/** A route about code. @throws {Refusal} 403 for guests of a private project */
export function onCode(handle: Handler<ProjectCall>): Handler {
  return onProject((call) => {
    if (!mayReadCode(call.state, call.project, call.viewer)) throw forbidden();
    return handle(call);
  });
}

/** A route below `/projects/{id}/issues/{iid}` or `/merge_requests/{iid}`. @throws {Refusal} 404 for what can't be seen */
export function onThread(handle: Handler<ThreadCall>): Handler {
  return onProject((call) => {
    const areMergeRequests = call.path.split('/')[3] === 'merge_requests';
    const thread = threadsOf(call.project, areMergeRequests).get(numberParameter(call, 'iid'));
    if (!thread || !maySeeThread(call.state, thread, call.viewer)) throw notFound();
    return handle({ ...call, thread });
  });
}

/** A number in the address. @throws {Refusal} 400 */
export function numberParameter(call: Call, name: string): number {
  const text = parameter(call, name);
  if (!/^\d+$/.test(text)) throw badParameters(`${name} is invalid`);
  return Number(text);
}

/** The account that asks. @throws {Refusal} 401 */
export function viewerOf(call: Call): User {
  if (!call.viewer) throw unauthorized();
  return call.viewer;
}

/** @throws {Refusal} 401 for nobody, 403 below this level */
export function requireLevel(call: ProjectCall, level: number): void {
  viewerOf(call);
  if (call.level < level) throw forbidden();
}

/** An archived project is read-only. @see https://docs.gitlab.com/user/project/working_with_projects/#archive-a-project */
function archived(call: Call): Refusal {
  return call.viewer ? forbidden() : unauthorized();
}

/** @see https://docs.gitlab.com/user/project/repository/#repository-path-changes */
function moved(call: Call, project: Project): Answer {
  if (call.method !== 'GET') throw refuse(405, 'Non GET methods are not allowed for moved projects');
  const rest = call.path
    .split('/')
    .slice(3)
    .map((part) => `/${part}`)
    .join('');
  const query = call.query.size > 0 ? `?${call.query}` : '';
  const location = `${call.web}/api/v4/projects/${project.id}${rest}${query}`;
  throw new Refusal(302, `This resource has been moved temporarily to ${location}.`, { location });
}
