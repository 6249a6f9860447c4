import type { PlatformThread, RepositoryDescription } from '@agent/platforms';

export interface BranchGuardOptions {
  readonly branch: string;
  readonly description: Pick<RepositoryDescription, 'defaultBranch'>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds out why a branch must not be pushed to: it is the default branch, protected, or the base branch of an open pull or merge
 * request. Null if it may. Asked before every push, and when a run begins.
 */
export async function findBranchGuard(
  { changeRequests }: Pick<PlatformThread, 'changeRequests'>,
  { branch, description, signal }: BranchGuardOptions,
): Promise<'default' | 'protected' | 'base' | null> {
  if (branch === description.defaultBranch) return 'default';
  const use = await changeRequests?.describeBranch?.({ branch, signal });
  if (use === undefined) return null;
  if (use.protected) return 'protected';
  return use.baseOf.length > 0 ? 'base' : null;
}
