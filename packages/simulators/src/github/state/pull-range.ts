import { findMergeBase } from '../../shared/git/commits.ts';
import type { Range } from '../../shared/git/diff.ts';
import type { Git } from '../../shared/git/git.ts';

/** From where to where a pull request changes things: the commit at which its histories parted, and its head. */
export async function pullRange(
  git: Git,
  directory: string,
  pull: { readonly baseSha: string; readonly headSha: string },
): Promise<Range> {
  const mergeBase = await findMergeBase(git, directory, [pull.baseSha, pull.headSha]);
  return [mergeBase ?? pull.baseSha, pull.headSha];
}
