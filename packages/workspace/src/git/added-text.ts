import { type Patch, toPatch } from '@agent/text/outgoing';
import type { GitPlace } from './git-environment.ts';
import { type CallOptions, type GitContext, git } from './git-repository.ts';
import { remoteRef } from './mirror.ts';

/** As much of a patch as is looked through, bytes. */
const maxPatchBytes = 64 * 1_048_576;

/**
 * Reads what the commits add that the server does not have, commit by commit: what a later one takes out again is pushed too. Beyond
 * 64 MiB it is cut.
 */
export async function readPatch(
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
