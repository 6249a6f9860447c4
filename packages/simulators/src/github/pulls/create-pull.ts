import { countCommits, findMergeBase } from '../../shared/git/commits.ts';
import type { Git } from '../../shared/git/git.ts';
import { listRefs, updateRef } from '../../shared/git/refs.ts';
import { answerHead } from '../checks/answer-head.ts';
import { may } from '../state/access.ts';
import { takeId } from '../state/create-state.ts';
import type { Repository, State, Thread, User } from '../state/model.ts';
import { forbidden, unprocessable, validationFailed } from '../state/refusal.ts';
import { openThread } from '../state/threads.ts';
import type { World } from '../state/world.ts';

export interface NewPull {
  readonly author: User;
  readonly title: string;
  readonly body: string | null;
  /** `branch`, or `owner:branch` for a branch of that owner's fork. */
  readonly head: string;
  readonly base: string;
  readonly draft: boolean;
  readonly maintainerCanModify: boolean;
}

/**
 * Opens a pull request as the API does.
 * @throws {Refusal} 403 without write access to the head branch; 422 for a missing branch, no commits between the two,
 * an open pull request from the same head to the same base, or drafts that the repository does not have
 * @see https://docs.github.com/rest/pulls/pulls#create-a-pull-request
 */
export async function createPull(world: World, repository: Repository, opening: NewPull): Promise<Thread> {
  const { state, git } = world;
  const head = await findHead(world, repository, opening.head);
  const [base] = await listRefs(git, repository.gitDirectory, `refs/heads/${opening.base}`).then((refs) =>
    refs.filter(({ name }) => name === `refs/heads/${opening.base}`),
  );
  if (!base) throw invalid('base');
  if (!may(head.repository, opening.author, 'write')) throw forbidden('must be a collaborator');
  await checkCommits(world, repository, { opening, shas: [base.sha, head.sha] });
  if (opening.draft && !repository.allowsDrafts) {
    throw unprocessable('Draft pull requests are not supported in this repository.');
  }
  // Nothing may be awaited between this look and opening: two requests at once must not both find none.
  checkNoneOpen(repository, { head, base: opening.base });
  const { author, title, body, draft, maintainerCanModify } = opening;
  const thread = openThread(state, repository, {
    author,
    title,
    body,
    pull: {
      id: takeId(state),
      headRepository: head.repository,
      headOwner: head.repository.owner,
      headBranch: head.branch,
      baseBranch: opening.base,
      draft,
      headSha: head.sha,
      baseSha: base.sha,
      mergedAt: null,
      mergedBy: null,
      mergeCommitSha: null,
      maintainerCanModify,
      movedAt: state.now(),
      isInMergeQueue: false,
      requestedReviewers: new Set(),
      reviews: new Map(),
      reviewThreads: new Map(),
    },
  });
  await updateRef(git, repository.gitDirectory, { name: `refs/pull/${thread.number}/head`, sha: head.sha });
  await answerHead(world, repository, { sha: head.sha, branch: head.branch, by: author });
  return thread;
}

interface Head {
  readonly repository: Repository;
  readonly branch: string;
  readonly sha: string;
}

async function findHead({ state, git }: World, base: Repository, head: string): Promise<Head> {
  const colon = head.indexOf(':');
  const owner = colon < 0 ? base.owner.login : head.slice(0, colon);
  const branch = head.slice(colon + 1);
  const repository = findHeadRepository(state, base, owner);
  if (!repository) throw invalid('head');
  const name = `refs/heads/${branch}`;
  const ref = (await listRefs(git, repository.gitDirectory, name)).find(
    (candidate) => candidate.name === name,
  );
  if (!ref) throw invalid('head');
  if (repository !== base) await fetchHead(git, base, { from: repository, name });
  return { repository, branch, sha: ref.sha };
}

function findHeadRepository(state: State, base: Repository, owner: string): Repository | undefined {
  if (owner.toLowerCase() === base.owner.login.toLowerCase()) return base;
  return [...state.repositories.values()].find(
    (repository) =>
      repository.fork?.parent === base && repository.owner.login.toLowerCase() === owner.toLowerCase(),
  );
}

/** Brings a fork's commits into the repository that its pull request is for, as GitHub does. */
export async function fetchHead(
  git: Git,
  base: Repository,
  head: { readonly from: Repository; readonly name: string },
): Promise<void> {
  const args = ['fetch', '--quiet', '--no-write-fetch-head', head.from.gitDirectory, head.name];
  await git.read(base.gitDirectory, args);
}

async function checkCommits(
  { git }: World,
  repository: Repository,
  pull: { readonly opening: NewPull; readonly shas: readonly [base: string, head: string] },
): Promise<void> {
  const { opening, shas } = pull;
  if (!(await findMergeBase(git, repository.gitDirectory, shas))) {
    throw custom(`The ${opening.head} branch has no history in common with ${opening.base}`);
  }
  const { ahead } = await countCommits(git, repository.gitDirectory, shas);
  if (ahead === 0) throw custom(`No commits between ${opening.base} and ${opening.head}`);
}

function checkNoneOpen(repository: Repository, pull: { readonly head: Head; readonly base: string }): void {
  const { head, base } = pull;
  for (const { state, pull: other } of repository.threads.values()) {
    if (state !== 'open' || !other || other.baseBranch !== base || other.headBranch !== head.branch) continue;
    if (other.headRepository !== head.repository) continue;
    throw custom(`A pull request already exists for ${head.repository.owner.login}:${head.branch}.`);
  }
}

function invalid(field: 'head' | 'base') {
  return validationFailed({ resource: 'PullRequest', field, code: 'invalid' });
}

function custom(message: string) {
  return validationFailed({ resource: 'PullRequest', code: 'custom', message });
}
