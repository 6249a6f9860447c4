import type { CallOptions } from '@agent/platforms';
import { type FindPushedSecrets, type Patch, type PushedSecret, toPatch } from '@agent/text/outgoing';
import type { GitPlace } from '../git/git-environment.ts';
import { type GitContext, git, gitLine, tipsOf, updateRefs } from '../git/git-repository.ts';
import { remoteRef } from '../git/mirror.ts';
import type { WorkspaceTask } from '../git/workspace-task.ts';
import { WorkspaceError } from '../workspace-error.ts';
import type { Allowance } from './judge-push.ts';

export interface FindSecretsOptions extends CallOptions {
  readonly task: Pick<WorkspaceTask, 'branch' | 'baseBranch'>;
  readonly place: GitPlace;
  readonly findSecrets: FindPushedSecrets;
  readonly allowance: Allowance;
}

/** Place of a secret, never its value. The fingerprint of one of the daemon's own is for the log alone: of a short value it tells too much. */
export type SecretPlace = Pick<PushedSecret, 'path' | 'line' | 'kind' | 'fingerprint' | 'sha256' | 'isOwn'>;

/** Thrown instead of a push. The commits are taken back, and the files stay as they are in the worktree. */
export class SecretsInChanges extends WorkspaceError {
  readonly places: readonly SecretPlace[];

  constructor(branch: string, places: readonly SecretPlace[]) {
    const list = places.map(
      ({ path, line, kind }) => `${path}${typeof line === 'number' ? `:${line}` : ''} (${kind})`,
    );
    super(`${branch} was not pushed: its changes contain possible secrets: ${list.join(', ')}.`, {
      code: 'secrets-found',
    });
    this.places = places;
  }
}

/** More are not told. */
const maxPlaces = 50;

/** Finds possible secrets in every line that the server would get and does not have, without those that people have allowed. */
export async function findRefusedSecrets(
  context: GitContext,
  options: FindSecretsOptions,
): Promise<readonly SecretPlace[]> {
  const found = await options.findSecrets(await readPatch(context, options), options);
  if (found.length === 0) return [];
  const told = await listToldLines(context, found, options);
  const { secrets } = options.allowance;
  const isAllowed = ({ path, sha256 }: PushedSecret) =>
    secrets.some((one) => one.path === path && one.sha256 === sha256);
  const refused = found.filter((one) => one.isOwn || !(told.has(one.value) || isAllowed(one)));
  const places = refused.slice(0, maxPlaces).map(toPlace);
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

function toPlace({ path, line, kind, fingerprint, sha256, isOwn }: PushedSecret): SecretPlace {
  return { path, line, kind, fingerprint, sha256, isOwn };
}

/** Which of these lines the server has already, wherever they stand: pushing them again shows nothing new. */
async function listToldLines(
  context: GitContext,
  found: readonly PushedSecret[],
  { task, place, signal }: FindSecretsOptions,
): Promise<ReadonlySet<string>> {
  const refs = [remoteRef(task.branch), remoteRef(task.baseBranch)];
  const trees = (await tipsOf(context, place, { refs, signal })).filter((sha) => sha !== null);
  const lines = new Set(found.flatMap(({ isOwn, value }) => (isOwn ? [] : [value])));
  if (trees.length === 0 || lines.size === 0) return new Set();
  const { stdout } = await git(context, place, {
    args: ['grep', '-h', '--only-matching', '--fixed-strings', '--text', '--no-color', '-f', '-', ...trees],
    input: `${[...lines].join('\n')}\n`,
    doing: 'Looking for values in the repository',
    anyExit: true,
    signal,
  });
  return new Set(stdout.split('\n'));
}

/** Puts the branch back to what the server has, so that the next commit holds what is in the worktree then and nothing else. */
export async function takeBackCommits(
  context: GitContext,
  { place, signal }: Pick<FindSecretsOptions, 'place' | 'signal'>,
): Promise<void> {
  const ref = `refs/heads/${place.branch}`;
  const { stdout } = await git(context, place, {
    args: ['rev-list', '--first-parent', ref, '--not', `--glob=${remoteRef('*')}`],
    doing: 'Taking back the commits',
    signal,
  });
  const oldest = stdout.trim().split('\n').at(-1) ?? '';
  const parent = await gitLine(context, place, {
    args: ['rev-parse', '--verify', '--quiet', `${oldest}^`],
    signal,
  });
  if (parent === null) return;
  await updateRefs(context, place, { refs: [{ ref, sha: parent }], signal });
}

/** As much of a patch as is looked through, bytes. */
const maxPatchBytes = 64 * 1_048_576;

/**
 * Reads what the commits add that the server does not have, commit by commit: what a later one takes out again is pushed too. Beyond
 * 64 MiB it is cut.
 */
async function readPatch(
  context: GitContext,
  { place, signal }: { readonly place: GitPlace } & CallOptions,
): Promise<Patch> {
  const format = [
    '--format=',
    '--no-color',
    '--unified=0',
    '--text',
    '--no-renames',
    '-m',
    '--no-indent-heuristic',
  ];
  const plain = ['--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/', '--submodule=short'];
  const range = [`refs/heads/${place.branch}`, '--not', `--glob=${remoteRef('*')}`];
  const chunks: Buffer[] = [];
  let size = 0;
  await git(context, place, {
    args: ['-c', 'core.quotePath=false', 'log', '--patch', ...format, ...plain, ...range, '--'],
    doing: `Reading what ${place.branch} would push`,
    onOutput: (chunk) => {
      if (size <= maxPatchBytes) chunks.push(chunk);
      size += chunk.length;
    },
    signal,
  });
  return toPatch(chunks, maxPatchBytes);
}
