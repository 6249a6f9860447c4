import { listRefs } from '../../shared/git/refs.ts';
import type { Pull, Repository, Thread, User } from '../state/model.ts';
import { validationFailed } from '../state/refusal.ts';
import { editThread } from '../state/threads.ts';
import type { World } from './create-pull.ts';
import { syncPulls } from './sync-pulls.ts';

export interface PullChange {
  readonly title?: string | undefined;
  readonly body?: string | null | undefined;
  readonly state?: 'open' | 'closed' | undefined;
  readonly base?: string | undefined;
  readonly by: User;
}

/**
 * Edits, closes, reopens or retargets a pull request.
 * @throws {Refusal} 422 when it was merged or its head branch is gone and it should be reopened, or when the new base is missing
 * @see https://docs.github.com/rest/pulls/pulls#update-a-pull-request
 */
export async function updatePull(world: World, thread: Thread, change: PullChange): Promise<void> {
  const { base, ...edit } = change;
  const { pull, repository } = thread;
  if (!pull) return;
  if (edit.state === 'open' && thread.state === 'closed') await checkReopening(world, pull);
  if (base !== undefined && !(await hasBranch(world, repository, base))) throw refused('base');
  if (base !== undefined) pull.baseBranch = base;
  editThread(world.state, thread, edit);
  await syncPulls(world, repository, edit.by);
}

async function checkReopening(world: World, pull: Pull): Promise<void> {
  if (pull.mergedAt) throw refused('state', 'state cannot be changed. The pull request cannot be reopened.');
  const { headRepository, headBranch } = pull;
  if (headRepository && (await hasBranch(world, headRepository, headBranch))) return;
  throw refused('state', `state cannot be changed. The ${headBranch} branch has been deleted.`);
}

async function hasBranch({ git }: World, repository: Repository, branch: string): Promise<boolean> {
  const name = `refs/heads/${branch}`;
  return (await listRefs(git, repository.gitDirectory, name)).some((ref) => ref.name === name);
}

function refused(field: string, message?: string) {
  return validationFailed({
    resource: 'PullRequest',
    code: 'invalid',
    field,
    ...(message ? { message } : {}),
  });
}
