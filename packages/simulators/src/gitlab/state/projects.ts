import type { SimulatedAccessLevel } from '../seeds.ts';
import { accessLevels, groupsAbove } from './access.ts';
import { takeId, timestamp } from './create-state.ts';
import type { Project, State, User } from './model.ts';
import { findUser, seededUser } from './users.ts';

export interface NewProject {
  readonly path: string;
  readonly visibility: Project['visibility'];
  readonly forkedFrom: Project | null;
  readonly issuesEnabled: boolean;
  readonly mergeRequestsEnabled: boolean;
  readonly hasGit: boolean;
  readonly members: Readonly<Record<string, SimulatedAccessLevel>>;
  readonly gitDirectory: (id: number) => string;
}

/** Registers a project; its git directory is made afterwards. */
export function registerProject(state: State, seed: NewProject): Project {
  const { gitDirectory, members, ...plain } = seed;
  const id = takeId(state);
  const created = timestamp(state);
  const project: Project = {
    ...plain,
    id,
    creator: creatorOf(state, seed),
    gitDirectory: gitDirectory(id),
    createdAt: created,
    lastActivityAt: created,
    defaultBranch: 'main',
    archived: false,
    members: new Map(
      Object.entries(members).map(([username, level]) => [username.toLowerCase(), accessLevels[level]]),
    ),
    labels: new Map(),
    issues: new Map(),
    mergeRequests: new Map(),
    ci: { pipelines: new Map(), asked: new Set(), script: null, isRequired: false },
    protectedBranches: new Map(),
    protectsDefault: { done: false },
    nextIid: { issue: 1, mergeRequest: 1 },
  };
  for (const group of groupsAbove(project)) {
    if (!state.groups.has(group) && !state.users.has(group)) state.groups.set(group, new Map());
  }
  state.formerPaths.delete(seed.path.toLowerCase());
  state.projects.set(id, project);
  return project;
}

/** The project with this id or at this path, or that was at this path once. */
export function findProject(state: State, idOrPath: string): Project | undefined {
  if (/^\d+$/.test(idOrPath)) return state.projects.get(Number(idOrPath));
  const path = idOrPath.toLowerCase();
  const current = [...state.projects.values()].find((project) => project.path.toLowerCase() === path);
  return current ?? state.formerPaths.get(path);
}

/** The project, for seeds. @throws when there is none. */
export function seededProject(state: State, idOrPath: string): Project {
  const project = findProject(state, idOrPath);
  if (project) return project;
  throw new Error(
    `The simulator has no project "${idOrPath}": await addProject({ path: '${idOrPath}' }) first.`,
  );
}

/** Renames or transfers a project; its former path leads to it until another takes its place. */
export function moveProject(state: State, project: Project, path: string): void {
  state.formerPaths.set(project.path.toLowerCase(), project);
  state.formerPaths.delete(path.toLowerCase());
  project.path = path;
  for (const group of groupsAbove(project)) if (!state.groups.has(group)) state.groups.set(group, new Map());
}

/** Deletes a project; merge requests from it stay without a source project. */
export function deleteProject(state: State, project: Project): void {
  state.projects.delete(project.id);
  for (const [path, former] of state.formerPaths) if (former === project) state.formerPaths.delete(path);
  for (const { mergeRequests } of state.projects.values()) {
    for (const { merge } of mergeRequests.values()) {
      if (merge?.sourceProject === project) merge.sourceProject = null;
    }
  }
}

/** Gives somebody a role in a project or in a group, or takes it away (null). */
export function setAccess(
  state: State,
  path: string,
  member: { readonly username: string; readonly level: SimulatedAccessLevel | null },
): void {
  const username = seededUser(state, member.username).username.toLowerCase();
  const members = findProject(state, path)?.members ?? state.groups.get(path.toLowerCase());
  if (!members)
    throw new Error(`The simulator has no project or group "${path}": await addProject(…) first.`);
  if (member.level === null) members.delete(username);
  else members.set(username, accessLevels[member.level]);
}

/** The owner of the namespace, else the highest member, else the ghost: somebody must have made it. */
function creatorOf(state: State, seed: NewProject): User {
  const namespace = findUser(state, seed.path.split('/')[0] ?? '');
  const [highest] = Object.entries(seed.members).sort(
    ([, one], [, other]) => accessLevels[other] - accessLevels[one],
  );
  return namespace ?? seededUser(state, highest?.[0] ?? 'ghost');
}
