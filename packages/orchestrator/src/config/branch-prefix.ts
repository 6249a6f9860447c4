import { z } from 'zod';

/** Setting `branch_prefix`: the part of a branch name before `/issue-{number}-…`. */
export const branchPrefixSchema = z
  .string()
  .max(40)
  .regex(/^[A-Za-z0-9_-]+(?:[./][A-Za-z0-9_-]+)*$/, {
    error: 'must be the beginning of a branch name without a slash at its end, such as agent or bots/agent',
  })
  .refine((prefix) => !/^-|\.lock(?:$|\/)/.test(prefix), {
    error: 'must not begin with "-", and no part of it can end with ".lock"',
  })
  .default('agent');

/** Branches that make each branch below this prefix impossible: `bots` and `bots/agent` for `bots/agent`. */
export function listParentBranches(prefix: string): readonly string[] {
  const parts = prefix.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Finds the branch that makes each branch below this prefix impossible: git stores names as paths. */
export function findBlockingBranch(branches: readonly string[], prefix: string): string | null {
  const names = new Set(branches);
  return listParentBranches(prefix).find((name) => names.has(name)) ?? null;
}
