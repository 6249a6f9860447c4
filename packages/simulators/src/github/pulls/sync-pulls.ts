import { isAncestor, listRefs, updateRef } from '../../shared/git/refs.ts';
import { answerHead } from '../checks/answer-head.ts';
import { followLines } from '../reviews/follow-lines.ts';
import { recordActivity } from '../state/activity.ts';
import { timestamp } from '../state/create-state.ts';
import type { Pull, Repository, Thread, User } from '../state/model.ts';
import { editThread, touch } from '../state/threads.ts';
import type { World } from '../state/world.ts';
import { fetchHead } from './create-pull.ts';

/**
 * Brings the open pull requests of a repository up to date with its branches, as GitHub does after a push: a new head is
 * shown, one whose commits the base has by now is merged, one whose head branch was deleted is closed.
 * @see https://docs.github.com/pull-requests/collaborating-with-pull-requests
 */
export async function syncPulls(world: World, repository: Repository, by: User): Promise<void> {
  const branches = await readBranches(world, repository);
  for (const thread of repository.threads.values()) {
    const { pull } = thread;
    if (!pull || thread.state !== 'open' || !pull.headRepository) continue;
    const isFork = pull.headRepository !== repository;
    const heads = isFork ? await readBranches(world, pull.headRepository) : branches;
    // What came there past this server was moved by its owner.
    recordActivity(world.state, pull.headRepository, { tips: heads, by: pull.headRepository.owner });
    await syncPull(
      world,
      { thread, pull, by },
      { head: heads.get(pull.headBranch), base: branches.get(pull.baseBranch) },
    );
  }
}

/** The same for all repositories that may have a pull request from this one: itself and what it was forked from. */
export async function syncAfterPush(world: World, repository: Repository, by: User): Promise<void> {
  repository.pushedAt = timestamp(world.state);
  recordActivity(world.state, repository, { tips: await readBranches(world, repository), by });
  await syncPulls(world, repository, by);
  if (repository.fork) await syncPulls(world, repository.fork.parent, by);
}

interface Open {
  readonly thread: Thread;
  readonly pull: Pull;
  readonly by: User;
}

async function syncPull(
  world: World,
  { thread, pull, by }: Open,
  tips: { readonly head: string | undefined; readonly base: string | undefined },
): Promise<void> {
  const { head, base } = tips;
  const directory = thread.repository.gitDirectory;
  const before = [pull.headSha, pull.baseSha];
  if (head && head !== pull.headSha) await moveHead(world, { thread, pull, by }, head);
  if (base && base !== pull.baseSha && (await isAncestor(world.git, directory, [pull.headSha, base]))) {
    markMerged(world, { thread, pull, by }, base);
  } else if (!head && thread.state === 'open') {
    editThread(world.state, thread, { state: 'closed', by });
  } else if (head && base && head === pull.headSha) {
    pull.baseSha = base;
  }
  if (pull.headSha === before[0] && pull.baseSha === before[1]) return;
  pull.movedAt = world.state.now();
  // A push takes a pull request out of the queue.
  // @see https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/configuring-pull-request-merges/managing-a-merge-queue
  if (pull.headSha !== before[0]) pull.isInMergeQueue = false;
  await followLines(world, thread);
}

async function moveHead(world: World, { thread, pull, by }: Open, head: string): Promise<void> {
  const { repository } = thread;
  if (pull.headRepository && pull.headRepository !== repository) {
    await fetchHead(world.git, repository, {
      from: pull.headRepository,
      name: `refs/heads/${pull.headBranch}`,
    });
  }
  pull.headSha = head;
  await updateRef(world.git, repository.gitDirectory, { name: `refs/pull/${thread.number}/head`, sha: head });
  touch(world.state, thread);
  await answerHead(world, repository, { sha: head, branch: pull.headBranch, by });
}

/** Records that a pull request's commits are in its base branch. */
export function markMerged(world: World, { thread, pull, by }: Open, commit: string): void {
  editThread(world.state, thread, { state: 'closed', by });
  pull.mergedAt = thread.closedAt;
  pull.mergedBy = by;
  pull.mergeCommitSha = commit;
}

async function readBranches({ git }: World, repository: Repository): Promise<ReadonlyMap<string, string>> {
  const refs = await listRefs(git, repository.gitDirectory, 'refs/heads/');
  return new Map(refs.map(({ name, sha }) => [name.slice('refs/heads/'.length), sha]));
}
