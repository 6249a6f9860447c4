import type { FindPushedSecrets, PushedSecret } from '@agent/text/outgoing';
import { WorkspaceError } from '../workspace-error.ts';
import { readPatch } from './added-text.ts';
import type { GitPlace } from './git-environment.ts';
import { type CallOptions, type GitContext, git, gitLine, tipsOf, updateRefs } from './git-repository.ts';
import { remoteRef } from './mirror.ts';
import type { WorkspaceTask } from './workspace-task.ts';

/** Where a secret stands; never what it is. The fingerprint is for the log alone: of a short value it tells too much. */
export type SecretPlace = Pick<PushedSecret, 'path' | 'line' | 'kind' | 'fingerprint'>;

/** Thrown instead of a push. The commits are taken back, and the files stay as they are in the worktree. */
export class SecretsInChanges extends WorkspaceError {
  readonly places: readonly SecretPlace[];

  constructor(branch: string, places: readonly SecretPlace[]) {
    const list = places.map(
      ({ path, line, kind }) => `${path}${typeof line === 'number' ? `:${line}` : ''} (${kind})`,
    );
    super(
      `${branch} was not pushed: its changes hold what looks or may look like secrets: ${list.join(', ')}.`,
      {
        code: 'secrets-found',
      },
    );
    this.places = places;
  }
}

export interface RefuseSecretsOptions extends CallOptions {
  readonly task: WorkspaceTask;
  readonly place: GitPlace;
  readonly findSecrets: FindPushedSecrets;
}

/** More are not told. */
const maxPlaces = 50;

/**
 * Looks through every line that the server would get and does not have.
 *
 * @throws SecretsInChanges when there is a secret among them
 */
export async function refuseSecrets(context: GitContext, options: RefuseSecretsOptions): Promise<void> {
  const found = await options.findSecrets(await readPatch(context, options), options);
  if (found.length === 0) return;
  const told = await listToldLines(context, found, options);
  const refused = found.filter(({ isOwn, value }) => isOwn || !told.has(value));
  if (refused.length === 0) return;
  await takeBackCommits(context, options);
  const distinct = new Map(
    refused
      .slice(0, maxPlaces)
      .map(toPlace)
      .map((place) => [JSON.stringify(place), place]),
  );
  throw new SecretsInChanges(options.task.branch, [...distinct.values()]);
}

function toPlace({ path, line, kind, fingerprint }: PushedSecret): SecretPlace {
  return { path, line, kind, fingerprint };
}

/** Which of these lines the server has already, wherever they stand: pushing them again tells nobody anything. */
async function listToldLines(
  context: GitContext,
  found: readonly PushedSecret[],
  { task, place, signal }: RefuseSecretsOptions,
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
async function takeBackCommits(context: GitContext, { place, signal }: RefuseSecretsOptions): Promise<void> {
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
