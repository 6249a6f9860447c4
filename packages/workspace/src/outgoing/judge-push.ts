import { createHash } from 'node:crypto';
import type { CallOptions } from '@agent/platforms';
import type { PushedSecret } from '@agent/text/outgoing';
import type { PathRules } from '../config/protection.ts';
import type { GitPlace } from '../git/git-environment.ts';
import { type GitContext, git, gitBytes } from '../git/git-repository.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { judgePaths } from './protected-paths.ts';
import {
  listCommitChanges,
  listNamedPaths,
  listTipChanges,
  type RawChange,
  readUnpushed,
  toPathChanges,
  type UnpushedRange,
} from './read-changes.ts';

/** Rules of the paths of one repository. */
export interface PathProtection {
  /** Rules of the operator. */
  readonly rules: PathRules;
  /** Rules of the repository's own file; they only make an action stricter. */
  readonly narrowing: PathRules;
}

/** Changes that users have allowed to be pushed. */
export interface Allowance {
  /** Paths that were named before the run, whatever their change. */
  readonly paths: readonly string[];
  /** Ids of patches. */
  readonly patches: readonly string[];
  /** Values that look like secrets, each in one file. */
  readonly secrets: readonly Pick<PushedSecret, 'path' | 'sha256'>[];
}

export const nothingAllowedYet: Allowance = { paths: [], patches: [], secrets: [] };

/** A change that is not pushed before a person allows it. */
export interface HeldChange {
  readonly path: string;
  /** Pattern that holds it. */
  readonly rule: string;
  /** SHA-256 of the patch. */
  readonly id: string;
  /** Against the server's branch, as git writes it; null if it is binary, no UTF-8 or longer than 256 KiB. */
  readonly patch: string | null;
}

/** Judgement of what a push would send. */
export interface JudgedPush {
  readonly range: UnpushedRange;
  /** Changes of the tip, without those that only merged commits bring. */
  readonly changes: readonly RawChange[];
  readonly held: readonly HeldChange[];
  /** Paths that are pushed and named in the report. */
  readonly drafts: readonly string[];
  /** Paths that commits below the tip change and the tip does not. They are held by a rule. */
  readonly buried: readonly string[];
}

export interface JudgePushOptions extends CallOptions {
  readonly place: GitPlace;
  readonly protection: PathProtection;
  readonly allowance: Allowance;
}

/** Judges by path what a push would send; null if there is nothing to send. */
export async function judgePush(context: GitContext, options: JudgePushOptions): Promise<JudgedPush | null> {
  const range = await readUnpushed(context, options);
  if (range === null) return null;
  const changes = await listTipChanges(context, options, range);
  const earlier = await listCommitChanges(context, options);
  const named = await listNamedPaths(context, options, [range.base, range.tip]);
  const judge = async (some: readonly RawChange[]) =>
    judgePaths(await toPathChanges(context, options, some), { ...options.protection, named });
  const judged = (await judge(changes)).filter(({ path }) => !options.allowance.paths.includes(path));
  const held: HeldChange[] = [];
  for (const { path, action, rule } of judged) {
    if (action !== 'hold') continue;
    const change = { path, rule, ...(await readHeldPatch(context, options, { range, paths: [path] })) };
    if (!options.allowance.patches.includes(change.id)) held.push(change);
  }
  const atTip = new Set(changes.map(({ path }) => path));
  const buried = (await judge(earlier)).filter(({ path, action }) => action === 'hold' && !atTip.has(path));
  return {
    ...{ range, changes, held },
    drafts: judged.flatMap(({ path, action }) => (action === 'draft' ? [path] : [])),
    buried: buried.map(({ path }) => path),
  };
}

const maxPatchBytes = 256 * 1024;

/** Reads the patch of these paths against the server's branch. Its lines with the ids of both versions make it unique for binary files too. */
export async function readHeldPatch(
  context: GitContext,
  { place, signal }: Pick<JudgePushOptions, 'place' | 'signal'>,
  { range, paths }: { readonly range: UnpushedRange; readonly paths: readonly string[] },
): Promise<Pick<HeldChange, 'id' | 'patch'>> {
  const form = ['--full-index', '--no-renames', '--no-color', '--no-ext-diff', '--no-textconv'];
  const names = ['--src-prefix=a/', '--dst-prefix=b/', '--submodule=short', '--ignore-submodules=none'];
  const bytes = await gitBytes(context, place, {
    args: [...literal, 'diff', ...form, ...names, range.base, range.tip, '--', ...paths],
    doing: 'Reading held changes',
    signal,
  });
  const text = bytes.toString('utf8');
  const isShown = bytes.length <= maxPatchBytes && !/\ufffd|^Binary files /m.test(text);
  return { id: createHash('sha256').update(bytes).digest('hex'), patch: isShown ? text : null };
}

const literal = ['--literal-pathspecs'];

/** Thrown instead of a push that contains changes which a person has to allow. */
export class ChangesHeld extends WorkspaceError {
  readonly paths: readonly string[];

  constructor(branch: string, paths: readonly string[]) {
    super(`${branch} was not pushed: a person must allow changes to protected paths: ${paths.join(', ')}.`, {
      code: 'changes-held',
    });
    this.paths = paths;
  }
}

/** Last check before a push. @throws ChangesHeld */
export async function refuseHeldChanges(context: GitContext, options: JudgePushOptions): Promise<void> {
  const judged = await judgePush(context, options);
  const paths = judged === null ? [] : [...judged.held.map(({ path }) => path), ...judged.buried];
  if (paths.length > 0) throw new ChangesHeld(options.place.branch ?? '', paths);
}

export interface LeaveOutOptions extends CallOptions {
  readonly place: GitPlace;
  readonly range: UnpushedRange;
  /** Changes that stay out. */
  readonly leftOut: readonly RawChange[];
}

/** Writes the tip's tree with these paths as the server has them. @returns the id of the tree */
export async function writeRestTree(
  context: GitContext,
  { place, range, leftOut, signal }: LeaveOutOptions,
): Promise<string> {
  const at = { ...place, indexFile: `${place.gitDirectory}/index.rest` };
  const doing = 'Leaving out held changes';
  await git(context, at, { args: ['read-tree', range.tip], doing, signal });
  const gone = `0 ${'0'.repeat(range.base.length)}\t`;
  const input = leftOut.map(({ path, before }) =>
    before === null ? `${gone}${path}\0` : `${before.mode} ${before.id}\t${path}\0`,
  );
  await git(context, at, {
    args: ['update-index', '-z', '--replace', '--index-info'],
    input: input.join(''),
    doing,
    signal,
  });
  return (await git(context, at, { args: ['write-tree'], doing, signal })).stdout.trim();
}
