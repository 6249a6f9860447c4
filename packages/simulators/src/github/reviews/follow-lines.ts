import { listChanges } from '../../shared/git/diff.ts';
import { type DiffLine, findLine, moveLine, numberLines } from '../../shared/git/diff-lines.ts';
import type { Thread } from '../state/model.ts';
import { pullRange } from '../state/pull-range.ts';
import type { Anchor, ReviewThread } from '../state/review-model.ts';
import type { World } from '../state/world.ts';

/**
 * Brings the places of all comments on lines up to date with the head and the base of their pull request: lines that moved
 * are followed, those that were changed, or that the diff does not show any more, are outdated.
 */
export async function followLines({ git }: World, { pull, repository }: Thread): Promise<void> {
  if (!pull || pull.reviewThreads.size === 0) return;
  const directory = repository.gitDirectory;
  const range = await pullRange(git, directory, pull);
  const changes = await listChanges(git, directory, range);
  for (const thread of pull.reviewThreads.values()) {
    const file = changes.find(({ path }) => path === thread.path);
    const { original, side } = thread;
    const [from, to] = side === 'LEFT' ? [original.base, range[0]] : [original.commit, range[1]];
    const difference = ['diff', '-U0', '--no-color', '--no-renames', from, to, '--', thread.path];
    const patch = from === to ? '' : (await git.read(directory, difference)).toString('utf8');
    const place = file ? findAgain(thread, { patch, lines: numberLines(file.patch ?? '') }) : null;
    thread.current = place && { ...place, base: range[0], commit: range[1] };
    if (thread.current) thread.commit = range[1];
  }
}

/** The place of a thread after a change; null when it is not there any more. */
function findAgain(
  { original, side, startSide }: ReviewThread,
  after: { readonly patch: string; readonly lines: readonly DiffLine[] },
): Pick<Anchor, 'line' | 'startLine' | 'position'> | null {
  if (original.line === null) return { line: null, startLine: null, position: null };
  const line = moveLine(after.patch, original.line);
  const shown = line === null ? undefined : findLine(after.lines, side, line);
  if (line === null || !shown) return null;
  if (original.startLine === null) return { line, startLine: null, position: shown.position };
  // A start on the other side keeps its number.
  const startLine = startSide === side ? moveLine(after.patch, original.startLine) : original.startLine;
  if (startLine === null) return null;
  const kept = startSide !== side || line - startLine === original.line - original.startLine;
  return kept ? { line, startLine, position: shown.position } : null;
}
