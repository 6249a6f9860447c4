import { findMergeBase, listCommits } from '../../shared/git/commits.ts';
import { listChanges, type Range } from '../../shared/git/diff.ts';
import { mergeTrees } from '../../shared/git/merging.ts';
import type { MergePart, Project } from '../state/model.ts';
import type { DiffRefs } from '../state/review-model.ts';
import type { World } from '../world.ts';

/** Git's facts of a merge request. */
export interface MergeFacts {
  readonly hasConflicts: boolean;
  /** Null when one of its branches does not exist. */
  readonly range: Range | null;
  readonly changedFiles: number;
}

/** Reads what a version of a merge request compares. */
export async function readRefs(
  git: World['git'],
  project: Project,
  [start, head]: readonly [start: string, head: string],
): Promise<DiffRefs> {
  return { base: (await findMergeBase(git, project.gitDirectory, [start, head])) ?? start, start, head };
}

/** From where to where a merge request changes things; null when one of its branches does not exist. */
async function rangeOf({ git }: World, project: Project, merge: MergePart): Promise<Range | null> {
  const { baseSha, headSha } = merge;
  if (!baseSha || !headSha) return null;
  return [(await findMergeBase(git, project.gitDirectory, [baseSha, headSha])) ?? baseSha, headSha];
}

/** Compares a merge request with its target, file by file. */
export async function changesOf(world: World, project: Project, merge: MergePart) {
  const range = await rangeOf(world, project, merge);
  return range ? listChanges(world.git, project.gitDirectory, range) : [];
}

/** Its commits, newest first. */
export async function commitsOf(world: World, project: Project, merge: MergePart) {
  const range = await rangeOf(world, project, merge);
  return range ? listCommits(world.git, project.gitDirectory, { range: range.join('..') }) : [];
}

/** Asks git for all that a merge request's page shows. */
export async function factsOf(world: World, project: Project, merge: MergePart): Promise<MergeFacts> {
  const { baseSha, headSha } = merge;
  return {
    range: await rangeOf(world, project, merge),
    hasConflicts:
      !baseSha || !headSha || mergeTrees(world.git, project.gitDirectory, [baseSha, headSha]) === null,
    changedFiles: (await changesOf(world, project, merge)).length,
  };
}
