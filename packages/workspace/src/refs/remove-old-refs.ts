import { join } from 'node:path';
import type { CallOptions } from '@agent/platforms';
import type { GitPlace } from '../git/git-environment.ts';
import { git } from '../git/git-repository.ts';
import { parseCloneAddress } from '../git/workspace-task.ts';
import { createRefContext, type GitRefOptions } from './git-ref.ts';

/** Options of `removeOldRefs`. */
export interface RemoveOldRefsOptions extends Omit<GitRefOptions, 'ref' | 'maxHistory'>, CallOptions {
  /** Beginning of the names of refs that may be removed: `refs/agent/records/`. */
  readonly prefix: string;
  /** Milliseconds since 1970: what was written after it stays. */
  readonly before: number;
}

/** Refs whose age is asked for at one time: it takes a commit of each. */
const mostRefs = 20;

interface FoundRef {
  readonly ref: string;
  readonly version: string;
}

/**
 * Removes the refs below a prefix that were written before a time. A ref that is written meanwhile stays. Of many refs, looks at 20 at a time, at
 * others each day.
 *
 * @returns the names of the removed refs
 * @throws WorkspaceError if the server cannot be asked, or refuses
 */
export async function removeOldRefs(options: RemoveOldRefsOptions): Promise<readonly string[]> {
  const { cloneUrl, prefix, before, directory, now = Date.now, signal } = options;
  const context = createRefContext(options);
  const remote = parseCloneAddress(cloneUrl, context);
  const path = join(directory, 'old-refs.git');
  const place: GitPlace = { commonDirectory: path, gitDirectory: path, workTree: null, branch: null };
  const doing = `Looking for old records in ${cloneUrl}`;
  const asked = { doing, fallback: 'unavailable', remote, signal } as const;
  const { stdout: listed } = await git(context, place, {
    args: ['ls-remote', '--quiet', remote.text, `${prefix}*`],
    ...asked,
  });
  const found = chooseRefs(parseRefs(listed, prefix), Math.floor(now() / 86_400_000));
  if (found.length === 0) return [];
  const quiet = ['--quiet', '--no-auto-gc', '--no-tags', '--no-write-fetch-head'];
  const targets = found.map(({ ref }, index) => `+${ref}:refs/old/${index}`);
  await git(context, place, {
    args: ['fetch', ...quiet, '--depth=1', '--filter=tree:0', remote.text, ...targets],
    ...asked,
  });
  const { stdout: dated } = await git(context, place, {
    args: ['for-each-ref', '--format=%(objectname) %(committerdate:unix)', 'refs/old/'],
    doing,
    signal,
  });
  const old = new Set(
    dated.split('\n').flatMap((line) => {
      const [version = '', seconds = ''] = line.split(' ');
      return version !== '' && Number(seconds) * 1_000 < before ? [version] : [];
    }),
  );
  const removed: string[] = [];
  for (const { ref, version } of found.filter((one) => old.has(one.version))) {
    const lease = `--force-with-lease=${ref}:${version}`;
    const { exitCode } = await git(context, place, {
      args: ['push', '--quiet', '--no-verify', lease, remote.text, `:${ref}`],
      ...asked,
      anyExit: true,
    });
    if (exitCode === 0) removed.push(ref);
  }
  return removed;
}

function parseRefs(listed: string, prefix: string): readonly FoundRef[] {
  return listed.split('\n').flatMap((line) => {
    const [version = '', ref = ''] = line.split('\t');
    return ref.startsWith(prefix) ? [{ ref, version }] : [];
  });
}

function chooseRefs(found: readonly FoundRef[], day: number): readonly FoundRef[] {
  if (found.length <= mostRefs) return found;
  const start = (day * mostRefs) % found.length;
  return [...found.slice(start), ...found.slice(0, start)].slice(0, mostRefs);
}
