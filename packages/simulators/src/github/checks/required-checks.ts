import type { Pull, Repository } from '../state/model.ts';
import { isFine, latestStatuses, phaseOf, runsOf, statusesOf } from './read-checks.ts';

/** How one check of a commit stands, whether it is a check run or a status. */
export interface CheckState {
  readonly name: string;
  readonly state: 'pending' | 'success' | 'failure';
}

/** All checks of a commit as they stand at a time. */
export function listCheckStates(
  { checks }: Repository,
  { sha, now }: { readonly sha: string; readonly now: number },
): readonly CheckState[] {
  // Of what says the same name several times, the newest counts, whichever suite it is in.
  const newest = new Map(runsOf(checks, sha).map((run) => [`${run.suite.app.id} ${run.name}`, run]));
  const runs = [...newest.values()].map((run): CheckState => {
    const { status, conclusion } = phaseOf(run, now);
    const done = isFine(conclusion) ? 'success' : 'failure';
    return { name: run.name, state: status === 'completed' ? done : 'pending' };
  });
  const statuses = latestStatuses(statusesOf(checks, sha, now)).map(
    ({ context, state }): CheckState => ({ name: context, state: state === 'error' ? 'failure' : state }),
  );
  return [...runs, ...statuses];
}

/** Says what keeps a pull request from being merged by a required check; null where nothing does. */
export function missingCheck(repository: Repository, pull: Pull, now: number): string | null {
  const names = repository.checks.required.get(pull.baseBranch)?.names ?? [];
  const known = listCheckStates(repository, { sha: pull.headSha, now });
  for (const name of names) {
    const found = known.filter((check) => check.name === name);
    const worst =
      found.find(({ state }) => state === 'failure') ?? found.find(({ state }) => state === 'pending');
    if (found.length === 0) return `Required status check "${name}" is expected.`;
    if (worst)
      return `Required status check "${name}" is ${worst.state === 'failure' ? 'failing' : 'in progress'}.`;
  }
  return null;
}

/**
 * How GitHub sums up whether a pull request can be merged.
 * @see https://docs.github.com/graphql/reference/enums#mergestatestatus
 */
export function mergeableState(
  repository: Repository,
  pull: Pull,
  known: { readonly mergeable: boolean | null; readonly isBehind: boolean; readonly now: number },
): string {
  const { mergeable, isBehind, now } = known;
  if (pull.draft) return 'draft';
  if (mergeable === null) return 'unknown';
  if (!mergeable) return 'dirty';
  if (missingCheck(repository, pull, now)) return 'blocked';
  if (isBehind && repository.checks.required.get(pull.baseBranch)?.strict) return 'behind';
  const states = listCheckStates(repository, { sha: pull.headSha, now });
  return states.every(({ state }) => state === 'success') ? 'clean' : 'unstable';
}
