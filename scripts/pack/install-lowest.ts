import { join } from 'node:path';
import type { WorkspacePackage } from '../workspace/list-packages.ts';
import { packPackage } from '../workspace/pack-package.ts';
import { repositoryRoot } from '../workspace/root.ts';
import { createProject, runIn } from './create-project.ts';
import { readPinnedVersions, type Versions } from './pinned-versions.ts';
import { readPublishedRanges, toLowest } from './published-ranges.ts';
import { listImportedPackages, readReadmeExample } from './readme-example.ts';

const lowestAi = '7.0.154';

/** Versions of what is not ours: the lowest that our packages name, and those of the catalog for the rest. */
export function readLowestVersions(): Versions {
  return { ...readPinnedVersions(), ...toLowest(readPublishedRanges()), ai: lowestAi };
}

/** A project with the tarballs of all libraries and the lowest versions that they name. */
export interface LowestProject {
  readonly folder: string;
  /** `file:` addresses by the package's name. */
  readonly tarballs: Versions;
}

/** Builds and packs the libraries, and installs them below a folder with the lowest versions of what they need. */
export async function installLowest(
  libraries: readonly WorkspacePackage[],
  workbench: string,
): Promise<LowestProject> {
  await runIn(repositoryRoot, ['turbo', 'run', 'build', '--output-logs=errors-only']);
  const tarballs: Record<string, string> = {};
  for (const { folder, manifest } of libraries) {
    tarballs[manifest.name] = `file:${await packPackage(folder, workbench)}`;
  }
  const lowest = readLowestVersions();
  const examples = libraries.flatMap(({ folder }) => listImportedPackages(readReadmeExample(folder)));
  const others = examples.filter((name) => !name.startsWith('@agent/') && name !== 'ai');
  const dependencies: Versions = {
    ...tarballs,
    ai: lowestAi,
    ...Object.fromEntries(others.map((name) => [name, lowest[name] ?? '*'])),
  };
  const folder = join(workbench, 'together');
  await createProject({ folder, dependencies, overrides: { ...lowest, ...tarballs } });
  return { folder, tarballs };
}
