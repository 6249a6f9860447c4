import { setImmediate as nextTurn } from 'node:timers/promises';
import { WorkspaceError } from '../workspace-error.ts';
import { type AddedText, readAddedText } from './added-text.ts';
import type { GitPlace } from './git-environment.ts';
import { type CallOptions, type GitContext, git, gitLine, tipsOf, updateRefs } from './git-repository.ts';
import { remoteRef } from './mirror.ts';
import type { WorkspaceTask } from './workspace-task.ts';

/** Something that looks like a secret, in a text that would be pushed. */
export interface PushedSecret {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  /** Whether it is one of the daemon's own: then it does not matter that the server has it already. */
  readonly isOwn: boolean;
  /** Names the value without telling it. */
  readonly fingerprint: string;
}

/** Looks through what would be pushed. */
export type FindPushedSecrets = (change: {
  readonly path: string;
  readonly text: string;
}) => Promise<readonly PushedSecret[]>;

/** Where a secret stands; never what it is. */
export interface SecretPlace {
  readonly path: string;
  /** In the new file, from 1; null for a secret in the path itself. */
  readonly line: number | null;
  readonly kind: string;
  /** For the log alone: of a short value it tells too much. */
  readonly fingerprint: string;
}

/** Thrown instead of a push. The commits are taken back, and the files stay as they are in the worktree. */
export class SecretsInChanges extends WorkspaceError {
  readonly places: readonly SecretPlace[];

  constructor(branch: string, places: readonly SecretPlace[]) {
    const list = places.map(({ path, line, kind }) => `${path}${line === null ? '' : `:${line}`} (${kind})`);
    super(`${branch} was not pushed: its changes hold what looks like secrets: ${list.join(', ')}.`, {
      code: 'secrets-found',
    });
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
  const found: Found[] = [];
  for (const file of await readAddedText(context, options)) {
    // Files are looked through one by one, and everybody else has a turn between them.
    await nextTurn();
    found.push(
      ...(await options.findSecrets({ path: file.path, text: file.path })).map(toFound(file, file.path)),
    );
    found.push(
      ...(await options.findSecrets({ path: file.path, text: file.text })).map(toFound(file, file.text)),
    );
  }
  if (found.length === 0) return;
  const told = await listToldLines(context, found, options);
  const refused = found.filter(({ secret, line }) => secret.isOwn || !told.has(line));
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

interface Found {
  readonly file: AddedText;
  readonly secret: PushedSecret;
  readonly isInPath: boolean;
  /** The line of the value that says most: a key goes over several. */
  readonly line: string;
}

function toFound(file: AddedText, text: string): (secret: PushedSecret) => Found {
  return (secret) => {
    const lines = text.slice(secret.start, secret.end).split('\n');
    const [line = ''] = lines.toSorted((one, other) => other.length - one.length);
    return { file, secret, isInPath: text === file.path, line };
  };
}

function toPlace({ file: { path, text, lineNumbers }, secret, isInPath }: Found): SecretPlace {
  const { kind, fingerprint, start } = secret;
  const row = text.slice(0, start).split('\n').length - 1;
  return { path, line: isInPath ? null : (lineNumbers[row] ?? null), kind, fingerprint };
}

/** Which of these lines the server has already, wherever they stand: pushing them again tells nobody anything. */
async function listToldLines(
  context: GitContext,
  found: readonly Found[],
  { task, place, signal }: RefuseSecretsOptions,
): Promise<ReadonlySet<string>> {
  const refs = [remoteRef(task.branch), remoteRef(task.baseBranch)];
  const trees = (await tipsOf(context, place, { refs, signal })).filter((sha) => sha !== null);
  if (trees.length === 0) return new Set();
  const lines = new Set(found.map(({ line }) => line));
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
