import type { ChangeRequests } from '@agent/platforms';
import { findBlockingBranch, listParentBranches } from '../config/branch-prefix.ts';

/** A branch name is cut to this, so that it stays readable in lists; well below what git allows. */
const maxBranchChars = 60;
/** Fewest characters that are left for the title, however long the prefix is. */
const minSlugChars = 8;

export interface BranchSubject {
  /** Setting `branch_prefix`. */
  readonly prefix: string;
  readonly number: number;
  /** `request` for work on a change request whose own branch must not be pushed to. Default `issue`. */
  readonly kind?: 'issue' | 'request' | undefined;
  readonly title: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The branch that a run's changes go to: `agent/issue-{number}-{slug}`, `agent/request-{number}-{slug}`. If a branch `agent` makes that impossible, it is
 * `agent-issue-{number}-{slug}`. A branch of an earlier run is continued while its change request is open or was never
 * made; after that the new branch gets a suffix, as it does if another name is in its way. Without change requests it is
 * always the same branch.
 */
export async function chooseBranch(
  changeRequests: ChangeRequests | null,
  { prefix, number, kind = 'issue', title, signal }: BranchSubject,
): Promise<string> {
  const [usualStem, flatStem] = listStems(prefix, kind);
  const [usual, flat] = [`${usualStem}${number}-`, `${flatStem}${number}-`];
  const toName = (begin: string) =>
    begin + toSlug(title, Math.max(minSlugChars, maxBranchChars - begin.length));
  if (changeRequests === null) return toName(usual);
  const [first = prefix] = listParentBranches(prefix);
  // One listing shows earlier branches of both forms, and what blocks either.
  const listed = await changeRequests.listBranches({ prefix: first, signal });
  const names = listed.map(({ name }) => name);
  for (const name of names) {
    // Our slugs have no slash: a name with one belongs to someone else.
    const begin = [usual, flat].find((one) => name.startsWith(one));
    if (begin === undefined || name.slice(begin.length).includes('/')) continue;
    const found = await changeRequests.findChangeRequest({ headBranch: name, signal });
    if (found === null || found.state === 'open') return name;
  }
  const own = toName(findBlockingBranch(names, prefix) === null ? usual : flat);
  const isTaken = (wanted: string) => names.some((name) => name === wanted || name.startsWith(`${wanted}/`));
  if (!isTaken(own)) return own;
  let suffix = 2;
  while (isTaken(`${own}-${suffix}`)) suffix += 1;
  return `${own}-${suffix}`;
}

/** Number of the issue that a branch was chosen for; null for any other branch. */
export function readIssueNumber(branch: string, { prefix }: Pick<BranchSubject, 'prefix'>): number | null {
  const stem = listStems(prefix).find((one) => branch.startsWith(one));
  const digits = stem === undefined ? undefined : /^(\d+)-/u.exec(branch.slice(stem.length))?.[1];
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : null;
}

/** Begin of a branch name before the number: the usual form, and the form if a branch blocks it. */
function listStems(prefix: string, kind = 'issue'): readonly [usual: string, flat: string] {
  return [`${prefix}/${kind}-`, `${prefix.replaceAll('/', '-')}-${kind}-`];
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
