import { fetchRuntime, type Runtime } from '../../pack/fetch-runtime.ts';
import { toLowestVersion } from '../../pack/published-ranges.ts';
import type { WorkspacePackage } from '../../workspace/list-packages.ts';

/** A JavaScript runtime that packages are tried on. */
export interface TriedRuntime {
  readonly name: Runtime;
  readonly version: string;
  readonly program: string;
  /** Arguments before the file of a program. */
  readonly args: readonly string[];
}

/** Newest versions when this was last looked after. */
const newest = { node: '26.10.0', bun: '1.4.5', deno: '2.9.6' } as const;

/** Fetches the lowest Node of the libraries, that of the programs, the newest one, Bun and Deno. */
export async function listRuntimes(members: readonly WorkspacePackage[]): Promise<readonly TriedRuntime[]> {
  const lowest = members.map(({ manifest }) => toLowestVersion(manifest.engines?.node ?? ''));
  const wanted: readonly Omit<TriedRuntime, 'program'>[] = [
    ...[...new Set([...lowest.sort(), newest.node])].map(
      (version) => ({ name: 'node', version, args: [] }) as const,
    ),
    { name: 'bun', version: newest.bun, args: [] },
    { name: 'deno', version: newest.deno, args: ['run', '--allow-all', '--node-modules-dir=manual'] },
  ];
  const runtimes: TriedRuntime[] = [];
  for (const one of wanted) runtimes.push({ ...one, program: await fetchRuntime(one.name, one.version) });
  return runtimes;
}
