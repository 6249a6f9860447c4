import type { SimulatedAccessLevel } from '../seeds.ts';
import type { AccessLevel, Note, Project, State, Thread, User } from './model.ts';

/** Levels by their names. @see https://docs.gitlab.com/user/permissions/ */
export const accessLevels: Readonly<Record<SimulatedAccessLevel, AccessLevel>> = {
  guest: 10,
  planner: 15,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
};

export interface Membership {
  readonly username: string;
  readonly level: AccessLevel;
}

/** All members of a project with their highest level: its own, those of the groups above, the owner of the namespace. */
export function listMembers(
  state: State,
  project: Project,
  options: { readonly inherited: boolean },
): Membership[] {
  const found = new Map<string, AccessLevel>();
  const add = (username: string, level: AccessLevel) =>
    found.set(username, Math.max(found.get(username) ?? 0, level) as AccessLevel);
  const owner = namespaceOf(project);
  if (state.users.has(owner.toLowerCase())) add(owner.toLowerCase(), 50);
  for (const [username, level] of project.members) add(username, level);
  if (options.inherited) {
    for (const group of groupsAbove(project)) {
      for (const [username, level] of state.groups.get(group) ?? []) add(username, level);
    }
  }
  return [...found].map(([username, level]) => ({ username, level }));
}

/** The level of an account in a project; 0 for a stranger. */
export function levelOf(state: State, project: Project, user: User | null): number {
  if (!user) return 0;
  const key = user.username.toLowerCase();
  return (
    listMembers(state, project, { inherited: true }).find(({ username }) => username === key)?.level ?? 0
  );
}

/** Checks whether an account sees a project at all. @see https://docs.gitlab.com/user/public_access/ */
export function maySee(state: State, project: Project, user: User | null): boolean {
  if (project.visibility === 'public') return true;
  if (!user) return false;
  return project.visibility === 'internal' || levelOf(state, project, user) > 0;
}

/** Checks whether an account may read the code: guests of a private project may not. */
export function mayReadCode(state: State, project: Project, user: User | null): boolean {
  if (!maySee(state, project, user)) return false;
  return project.visibility !== 'private' || levelOf(state, project, user) >= accessLevels.reporter;
}

/** Checks whether an account sees a thread: a confidential one is for its author, its assignees, and planners and above. */
export function maySeeThread(state: State, thread: Thread, user: User | null): boolean {
  if (!maySee(state, thread.project, user)) return false;
  if (thread.merge && !mayReadCode(state, thread.project, user)) return false;
  if (!thread.confidential) return true;
  if (user && (thread.author === user || thread.assignees.includes(user))) return true;
  return levelOf(state, thread.project, user) >= accessLevels.planner;
}

/** Checks whether an account may read internal notes. @see https://docs.gitlab.com/user/discussions/#add-an-internal-note */
export function mayReadInternal(state: State, project: Project, user: User | null): boolean {
  return levelOf(state, project, user) >= accessLevels.reporter;
}

/** Checks whether an account reads this note. */
export function mayReadNote(state: State, note: Note, user: User | null): boolean {
  return !note.internal || mayReadInternal(state, note.thread.project, user);
}

/** Checks whether an account may change a thread's title, description and state: its author, and planners (issues) or developers. */
export function mayUpdate(state: State, thread: Thread, user: User): boolean {
  return thread.author === user || maySetMetadata(state, thread, user);
}

/** Checks whether an account may set labels and assignees; from others GitLab drops them in silence. */
export function maySetMetadata(state: State, thread: Pick<Thread, 'project' | 'merge'>, user: User): boolean {
  const needed = thread.merge ? accessLevels.developer : accessLevels.planner;
  return levelOf(state, thread.project, user) >= needed;
}

/** Checks whether an account may comment: who sees the thread, and members only on a locked one. */
export function mayComment(state: State, thread: Thread, user: User): boolean {
  return !thread.discussionLocked || levelOf(state, thread.project, user) > 0;
}

/** Checks whether pushing to a branch is allowed. */
export function mayPush(
  state: State,
  project: Project,
  push: { readonly user: User; readonly branch: string },
): boolean {
  const level = levelOf(state, project, push.user);
  const needed = project.protectedBranches.get(push.branch);
  if (needed === null) return false;
  return level >= Math.max(needed ?? 0, accessLevels.developer);
}

/** `group/subgroup` of a project. */
export function namespaceOf(project: Pick<Project, 'path'>): string {
  return project.path.slice(0, project.path.lastIndexOf('/'));
}

/** Paths of the groups that a project is in, lower case, nearest first. */
export function groupsAbove(project: Pick<Project, 'path'>): string[] {
  const parts = project.path.toLowerCase().split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
}
