import { listChanges } from '../../shared/git/diff.ts';
import { type DiffLine, findLine, hunkAbove, numberLines, type Side } from '../../shared/git/diff-lines.ts';
import { isAncestor } from '../../shared/git/refs.ts';
import type { Pull, Repository } from '../state/model.ts';
import { pullRange } from '../state/pull-range.ts';
import { type Refusal, unprocessableEntity, validationFailed } from '../state/refusal.ts';
import type { Anchor } from '../state/review-model.ts';
import type { World } from '../state/world.ts';

/** Place that a comment is meant for, as a request says it. */
export interface Place {
  readonly path: string;
  readonly line?: number | undefined;
  readonly side?: Side | undefined;
  readonly startLine?: number | undefined;
  readonly startSide?: Side | undefined;
  /** The older way to name a line: lines below the first hunk's header. */
  readonly position?: number | undefined;
  readonly isFile?: boolean | undefined;
}

/** Field of a thread that is wrong, GitHub's code for it, and the rest of the sentence. */
type Problem = readonly [field: string, code: 'custom' | 'invalid' | 'missing_field', words: string];

/** Words the problems of a place. */
export type Wording = (problems: readonly Problem[]) => Refusal;

/** As the comments of a new review are refused: in one sentence. */
export const asReview: Wording = (problems) => {
  const sentences = problems.map(
    ([field, , words]) => `Pull request review thread ${field.replaceAll('_', ' ')} ${words}`,
  );
  const last = sentences.length < 3 ? ' and ' : ', and ';
  return unprocessableEntity(
    [sentences.slice(0, -1).join(', '), sentences.at(-1)].filter(Boolean).join(last),
  );
};

/** As a single comment is refused: field by field. */
export const asComment: Wording = (problems) =>
  validationFailed(
    ...problems.map(([name, code, words]) => {
      const field = `pull_request_review_thread.${name}`;
      const message = code === 'custom' ? { message: `${field} ${words}` } : {};
      return { resource: 'PullRequestReviewComment', code, field, ...message };
    }),
  );

/** A place that the diff has. */
export interface Placed {
  readonly path: string;
  readonly side: Side;
  readonly startSide: Side | null;
  readonly anchor: Anchor;
  readonly diffHunk: string;
}

/**
 * Finds a place in the diff of a pull request up to one of its commits.
 * @throws {Refusal} 422 where the diff shows no such file or line
 * @see https://docs.github.com/rest/pulls/comments#create-a-review-comment-for-a-pull-request
 */
export async function placeAnchor(
  { git }: World,
  on: { readonly repository: Repository; readonly pull: Pull; readonly commit: string },
  { place, wording }: { readonly place: Place; readonly wording: Wording },
): Promise<Placed> {
  const { repository, pull, commit } = on;
  const range = await pullRange(git, repository.gitDirectory, { baseSha: pull.baseSha, headSha: commit });
  const changes = await listChanges(git, repository.gitDirectory, range);
  const file = changes.find(({ path }) => path === place.path);
  if (!file) throw wording([['path', 'invalid', 'is invalid'], blankHunk]);
  const [base] = range;
  const nowhere: Anchor = { commit, base, line: null, startLine: null, position: null };
  const patch = file.patch ?? '';
  if (place.isFile)
    return { path: file.path, side: 'RIGHT', startSide: null, anchor: nowhere, diffHunk: patch };
  const found = findPlace(numberLines(patch), place, wording);
  const { line, startLine, side, startSide, position } = found;
  const anchor = { commit, base, line, startLine, position };
  return { path: file.path, side, startSide, anchor, diffHunk: hunkAbove(patch, position) };
}

/** @throws {Refusal} 422 for a commit that the pull request does not have (any more) */
export async function checkCommit(
  { git }: World,
  { repository, pull }: { readonly repository: Repository; readonly pull: Pull },
  { commit, resource }: { readonly commit: string; readonly resource: string },
): Promise<void> {
  const known =
    commit === pull.headSha ||
    (/^[0-9a-f]{40}$/.test(commit) &&
      (await isAncestor(git, repository.gitDirectory, [commit, pull.headSha])) &&
      !(await isAncestor(git, repository.gitDirectory, [commit, pull.baseSha])));
  if (known) return;
  const message = 'commit_id is not part of the pull request';
  throw validationFailed({ resource, code: 'custom', field: 'commit_id', message });
}

interface FoundPlace {
  readonly line: number;
  readonly startLine: number | null;
  readonly side: Side;
  readonly startSide: Side | null;
  readonly position: number;
}

const blankHunk: Problem = ['diff_hunk', 'missing_field', "can't be blank"];

function findPlace(lines: readonly DiffLine[], place: Place, wording: Wording): FoundPlace {
  if (place.line === undefined) return findByPosition(lines, place.position, wording);
  const { line, side = 'RIGHT', startLine, startSide = side } = place;
  const last = findLine(lines, side, line);
  const problems: Problem[] = last ? [] : [['line', 'custom', 'must be part of the diff']];
  if (startLine !== undefined) {
    if (startLine >= line && startSide === side)
      throw wording([['start_line', 'custom', 'must precede the end line.']]);
    const first = findLine(lines, startSide, startLine);
    if (!first || first.hunk !== last?.hunk)
      problems.push(['start_line', 'custom', 'must be part of the same hunk as the line.']);
  }
  if (!last || problems.length > 0) throw wording(last ? problems : [...problems, blankHunk]);
  const start = startLine === undefined ? { startLine: null, startSide: null } : { startLine, startSide };
  return { line, side, ...start, position: last.position };
}

function findByPosition(
  lines: readonly DiffLine[],
  position: number | undefined,
  wording: Wording,
): FoundPlace {
  const found = lines.find((line) => line.position === position);
  if (!found) throw wording([['position', 'invalid', 'is invalid'], blankHunk]);
  const side = found.right === null ? 'LEFT' : 'RIGHT';
  const line = found.right ?? found.left ?? 0;
  return { line, side, startLine: null, startSide: null, position: found.position };
}
