import type { CallOptions } from '@agent/platforms';
import type { GitPlace } from '../git/git-environment.ts';
import { type GitContext, git } from '../git/git-repository.ts';

/** Name of the file that says where submodules come from. */
export const modulesName = '.gitmodules';

/** A gitlink: the commit of another repository that belongs at a path. */
export interface Link {
  readonly path: string;
  readonly sha: string;
}

/** Reads what a commit takes when it is checked out, in bytes, and its own submodules. */
export async function measure(
  context: GitContext,
  mirror: GitPlace,
  { sha, signal }: { readonly sha: string } & CallOptions,
): Promise<{ readonly bytes: number; readonly links: readonly Link[] }> {
  const { stdout } = await git(context, mirror, {
    args: ['ls-tree', '-r', '-z', '--long', sha],
    doing: 'Measuring a submodule',
    signal,
  });
  const entries = stdout.split('\0').filter(Boolean);
  const bytes = entries.reduce((sum, entry) => sum + readSize(entry), 0);
  return { bytes, links: parseLinks(stdout) };
}

/** Reads the size of an entry, which stands before its path; 0 for a gitlink, which has a dash there. */
function readSize(entry: string): number {
  return Number(entry.slice(0, entry.indexOf('\t')).split(' ').at(-1)) || 0;
}

/** Reads the gitlinks of a listing: of the index or of a tree. */
export function parseLinks(listing: string): readonly Link[] {
  return listing.split('\0').flatMap((entry) => {
    const sha = /^160000 (?:commit )?([0-9a-f]{40,64})\b/.exec(entry)?.[1];
    return sha === undefined ? [] : [{ sha, path: entry.slice(entry.indexOf('\t') + 1) }];
  });
}

const maxModulesChars = 256 * 1024;

/** Reads addresses by path. What git cannot read names nothing. */
export async function parseModules(
  context: GitContext,
  { place, text, signal }: { readonly place: GitPlace; readonly text: string } & CallOptions,
): Promise<ReadonlyMap<string, string>> {
  if (text === '' || text.length > maxModulesChars) return new Map();
  const { exitCode, stdout } = await git(context, place, {
    args: ['config', '--file', '-', '--no-includes', '-z', '--get-regexp', '^submodule\\..*\\.(path|url)$'],
    input: text,
    doing: `Reading ${modulesName}`,
    anyExit: true,
    signal,
  });
  const byName = new Map<string, Record<string, string>>();
  for (const entry of exitCode === 0 ? stdout.split('\0').filter(Boolean) : []) {
    const [key = '', ...value] = entry.split('\n');
    const name = key.slice('submodule.'.length, key.lastIndexOf('.'));
    byName.set(name, { ...byName.get(name), [key.slice(key.lastIndexOf('.') + 1)]: value.join('\n') });
  }
  const modules = [...byName.values()];
  return new Map(
    modules.flatMap(({ path, url }) => (path === undefined || url === undefined ? [] : [[path, url]])),
  );
}
