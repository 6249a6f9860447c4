import { join } from 'node:path';
import { copyBranches, createBareRepository } from '../shared/git/bare-repository.ts';
import { commitFiles } from '../shared/git/commit-files.ts';
import { pushHook } from './git-access/push-rules.ts';
import { readBranches } from './merge-requests/branches.ts';
import { commitIdentity } from './merge-requests/commit-identity.ts';
import type { SimulatedProjectSeed } from './seeds.ts';
import { accessLevels } from './state/access.ts';
import type { Project, State } from './state/model.ts';
import { findProject, registerProject, seededProject } from './state/projects.ts';
import { seededUser } from './state/users.ts';
import type { World } from './world.ts';

const defaultFiles = { 'README.md': '# Hello\n' };

/** Makes a project: its bare git directory, one commit of the seed's files, and what GitLab keeps beside it. */
export async function addProject(world: World, seed: SimulatedProjectSeed): Promise<Project> {
  const { state, git } = world;
  const { files = defaultFiles, members = {} } = seed;
  checkSeed(state, seed);
  const forkedFrom = seed.forkOf === undefined ? null : seededProject(state, seed.forkOf);
  const project = registerProject(state, {
    path: seed.path,
    visibility: seed.visibility ?? 'private',
    issuesEnabled: seed.issuesEnabled ?? true,
    mergeRequestsEnabled: seed.mergeRequestsEnabled ?? true,
    hasGit: seed.hasGit ?? true,
    forkedFrom,
    members,
    gitDirectory: (id) => join(git.root, `${id}.git`),
  });
  if (!project.hasGit) return project;
  await createBareRepository(project.gitDirectory, {
    ownRefs: 'refs/merge-requests',
    hook: { name: 'pre-receive', text: pushHook },
  });
  if (forkedFrom) await copyBranches(git, project.gitDirectory, forkedFrom.gitDirectory);
  else if (files) {
    await commitFiles(git, project.gitDirectory, {
      branch: project.defaultBranch,
      parent: null,
      files,
      author: commitIdentity(project.creator),
      message: 'Initial commit',
      time: Math.floor(state.now() / 1000),
    });
  }
  await protectDefaultBranch(world, project);
  return project;
}

/**
 * What GitLab does when a project gets its first branch: only maintainers push to it from then on.
 * @see https://docs.gitlab.com/user/project/repository/branches/default/#protect-initial-default-branches
 */
export async function protectDefaultBranch(world: World, project: Project): Promise<void> {
  if (project.protectsDefault.done || !(await readBranches(world, project)).has(project.defaultBranch))
    return;
  project.protectsDefault.done = true;
  project.protectedBranches.set(project.defaultBranch, accessLevels.maintainer);
}

function checkSeed(state: State, seed: SimulatedProjectSeed): void {
  if (!/^[\w.-]+(\/[\w.-]+)+$/.test(seed.path)) {
    throw new Error(`"${seed.path}" can't be a project's path: write "group/project".`);
  }
  if (findProject(state, seed.path)?.path.toLowerCase() === seed.path.toLowerCase()) {
    throw new Error(`The simulator already has ${seed.path}.`);
  }
  for (const username of Object.keys(seed.members ?? {})) seededUser(state, username);
}
