import { createHash } from 'node:crypto';
import { type FileChange, listChanges } from '../../shared/git/diff.ts';
import { type DiffLine, findLine, moveLine, numberLines, type Side } from '../../shared/git/diff-lines.ts';
import type { MergePart, Project } from '../state/model.ts';
import { badRequest, type Refusal } from '../state/refusal.ts';
import type { DiffPoint, DiffPosition, DiffRefs } from '../state/review-model.ts';
import type { World } from '../world.ts';

/** A line as a request names it: an added one by its new number alone, a removed one by its old one, any other by both. */
export interface WantedLine {
  readonly oldLine: number | null;
  readonly newLine: number | null;
}

/** A place as a request names it. */
export interface WantedPosition extends WantedLine {
  readonly refs: DiffRefs;
  readonly oldPath: string | null;
  readonly newPath: string | null;
  /** First of several lines. */
  readonly first: WantedLine | null;
}

/** A project's git. */
interface Repository {
  readonly git: World['git'];
  readonly project: Project;
}

/**
 * Finds a place in a version of a merge request.
 * @throws {Refusal} 400 for commits that are none of its versions, and for what its diff does not show
 * @see https://docs.gitlab.com/api/discussions/#create-a-new-thread-in-the-merge-request-diff
 */
export async function placePosition(
  { git }: Pick<World, 'git'>,
  { project, merge }: { readonly project: Project; readonly merge: MergePart },
  wanted: WantedPosition,
): Promise<DiffPosition> {
  const version = merge.versions.find(({ refs }) => isSame(refs, wanted.refs));
  if (!version) throw notInDiff();
  const { refs } = version;
  const file = await findFile({ git, project }, refs, wanted);
  if (!file) throw notInDiff();
  const lines = numberLines(file.patch ?? '');
  const line = lines.find(isLine(wanted));
  const first = wanted.first && lines.find(isLine(wanted.first));
  if (!line || first === undefined) throw notInDiff();
  const toPoint = (found: DiffLine) => pointAt(file.path, found);
  return { refs, ...pathsOf(file), line: toPoint(line), first: first && toPoint(first) };
}

/** Finds a place in the newest version by the number that one side gives a line, as the page does. @throws where the diff has no such line */
export async function placeLine(
  { git }: Pick<World, 'git'>,
  { project, merge }: { readonly project: Project; readonly merge: MergePart },
  place: { readonly path: string; readonly line: number; readonly startLine?: number; readonly side?: Side },
): Promise<DiffPosition> {
  const { path, line, startLine, side = 'RIGHT' } = place;
  const refs = merge.versions.at(-1)?.refs;
  const file = refs && (await findFile({ git, project }, refs, { oldPath: path, newPath: path }));
  const lines = numberLines(file?.patch ?? '');
  const last = findLine(lines, side, line);
  const first = startLine === undefined ? null : findLine(lines, side, startLine);
  if (!refs || !file || !last || first === undefined)
    throw new Error(`The diff of the merge request does not show line ${line} of ${path}.`);
  return { refs, ...pathsOf(file), line: pointAt(path, last), first: first && pointAt(path, first) };
}

/** Checks whether two versions compare the same commits. */
export function isSame(one: DiffRefs, other: DiffRefs): boolean {
  return one.base === other.base && one.start === other.start && one.head === other.head;
}

/**
 * The place in another version; null where the lines were changed. Lines that are as they were before the change, so that the
 * diff does not show them any more, keep their place.
 */
export async function tracePosition(
  repository: Repository,
  position: DiffPosition,
  to: DiffRefs,
): Promise<DiffPosition | null> {
  const file = await findFile(repository, to, position);
  const paths = file ? pathsOf(file) : { oldPath: position.oldPath, newPath: position.newPath };
  const lines = numberLines(file?.patch ?? '');
  const trace = (point: DiffPoint) => tracePoint(repository, { position, point, to, lines });
  const line = await trace(position.line);
  if (!line) return null;
  const first = position.first && (await trace(position.first));
  return { refs: to, ...paths, line, first };
}

interface Traced {
  readonly position: DiffPosition;
  readonly point: DiffPoint;
  readonly to: DiffRefs;
  /** The file's lines in the other version. */
  readonly lines: readonly DiffLine[];
}

async function tracePoint(repository: Repository, traced: Traced): Promise<DiffPoint | null> {
  const { position, point, to, lines } = traced;
  const { refs, oldPath, newPath } = position;
  const follow = async (path: string, range: readonly [string, string], line: number | null) =>
    line === null ? null : moveLine(await difference(repository, path, range), line);
  const oldLine = await follow(oldPath, [refs.base, to.base], point.oldLine);
  const newLine = await follow(newPath, [refs.head, to.head], point.newLine);
  if ((point.oldLine !== null && oldLine === null) || (point.newLine !== null && newLine === null))
    return null;
  // A removed line has to be one still.
  if (newLine === null) {
    const removed = lines.find(isLine({ oldLine, newLine: null }));
    return removed ? pointAt(newPath, removed) : null;
  }
  const shown = lines.find(({ right }) => right === newLine);
  if (shown) return pointAt(newPath, shown);
  const before = moveLine(await difference(repository, newPath, [to.head, to.base]), newLine) ?? newLine;
  return { oldLine: before, newLine, code: codeOf(newPath, [before, newLine]) };
}

async function findFile(
  { git, project }: Repository,
  refs: DiffRefs,
  { oldPath, newPath }: { readonly oldPath: string | null; readonly newPath: string | null },
): Promise<FileChange | undefined> {
  const changes = await listChanges(git, project.gitDirectory, [refs.base, refs.head]);
  return changes.find(({ path, previousPath }) =>
    newPath === null ? (previousPath ?? path) === oldPath : path === newPath,
  );
}

async function difference(
  { git, project }: Repository,
  path: string,
  [from, to]: readonly [string, string],
): Promise<string> {
  if (from === to) return '';
  const args = ['diff', '-U0', '--no-color', '--no-renames', from, to, '--', path];
  return (await git.read(project.gitDirectory, args)).toString('utf8');
}

function pathsOf({ path, previousPath }: FileChange): Pick<DiffPosition, 'oldPath' | 'newPath'> {
  return { oldPath: previousPath ?? path, newPath: path };
}

function isLine({ oldLine, newLine }: WantedLine): (line: DiffLine) => boolean {
  return ({ left, right }) => left === oldLine && right === newLine;
}

function pointAt(path: string, { left, right, at }: DiffLine): DiffPoint {
  return { oldLine: left, newLine: right, code: codeOf(path, at) };
}

function codeOf(path: string, [left, right]: readonly [number, number]): string {
  return `${createHash('sha1').update(path).digest('hex')}_${left}_${right}`;
}

function notInDiff(): Refusal {
  return badRequest(`Note {:line_code=>["can't be blank", "must be a valid line code"]}`);
}
