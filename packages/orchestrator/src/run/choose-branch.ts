import type { ChangeRequests } from '@agent/platforms';

/** A branch name is cut to this, so that it stays readable in lists; well below what git allows. */
const maxBranchChars = 60;

export interface BranchSubject {
  readonly number: number;
  readonly title: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The branch that an issue's changes go to: `agent/issue-{number}-{slug}`. A branch that an earlier run left is
 * found by its prefix and continued while its change request is open or was never made; once that is closed or
 * merged, the new branch gets a suffix. Without change requests it is always the same branch.
 */
export async function chooseBranch(
  changeRequests: ChangeRequests | null,
  subject: BranchSubject,
): Promise<string> {
  const prefix = `agent/issue-${subject.number}-`;
  const own = `${prefix}${toSlug(subject.title, maxBranchChars - prefix.length)}`;
  if (changeRequests === null) return own;
  const branches = await changeRequests.listBranches({ prefix, signal: subject.signal });
  for (const { name } of branches) {
    const found = await changeRequests.findChangeRequest({ headBranch: name, signal: subject.signal });
    if (found === null || found.state === 'open') return name;
  }
  const taken = new Set(branches.map((branch) => branch.name));
  if (!taken.has(own)) return own;
  let suffix = 2;
  while (taken.has(`${own}-${suffix}`)) suffix += 1;
  return `${own}-${suffix}`;
}

/** Words of the title that git, shells and addresses all take as they are; `task` when there are none. */
export function toSlug(title: string, maxChars: number): string {
  const plain = title.slice(0, 500).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.split(/[^a-z0-9]+/).filter(Boolean);
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? word.slice(0, maxChars) : `${slug}-${word}`;
    if (longer.length > maxChars) break;
    slug = longer;
  }
  return slug === '' ? 'task' : slug;
}
