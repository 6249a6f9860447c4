import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  listNeeded,
  listPublishablePackages,
  type Manifest,
  type WorkspacePackage,
} from '../workspace/list-packages.ts';
import { packPackage } from '../workspace/pack-package.ts';
import { repositoryRoot } from '../workspace/root.ts';
import { createProject } from './create-project.ts';
import type { Versions } from './pinned-versions.ts';
import { listImportedPackages } from './readme-example.ts';

export interface InstallAloneOptions {
  /** Folder for tarballs and projects. */
  readonly workbench: string;
  /** Versions of what is not ours, by name. */
  readonly versions: Versions;
  /** Program that runs in the project: what it imports is installed, too. Default: none, and nothing beside the package. */
  readonly example?: string;
}

/**
 * Installs a package that was built, packed, into a project with nothing else of ours but what it depends on.
 *
 * @returns the project's folder
 */
export async function installAlone(
  { folder, manifest }: WorkspacePackage,
  { workbench, versions, example }: InstallAloneOptions,
): Promise<string> {
  expect(existsSync(join(repositoryRoot, folder, 'dist')), `${folder} was not built`).toBe(true);
  const project = join(workbench, folder);
  const needed = listNeeded(listPublishablePackages(), manifest);
  const tarballs = await packAll([{ folder, manifest }, ...needed], workbench);
  const companions = example === undefined ? [] : listCompanions(manifest, example);
  const dependencies = {
    ...Object.fromEntries(companions.map((name) => [name, versions[name] ?? '*'])),
    [manifest.name]: tarballs[manifest.name] ?? '',
  };
  await createProject({ folder: project, dependencies, overrides: { ...versions, ...tarballs } });
  const lockfile = readFileSync(join(project, 'pnpm-lock.yaml'), 'utf8');
  const ours = new Set([...lockfile.matchAll(/@agent\/[\w-]+/g)].map(([name]) => name));
  const expected = [manifest, ...needed.map((one) => one.manifest)].map(({ name }) => name);
  expect([...ours].sort(), 'other packages of ours came along').toEqual(expected.sort());
  return project;
}

/** What a package asks its user to install beside it, and what the example uses on top. */
function listCompanions(manifest: Manifest, example: string): readonly string[] {
  const imported = listImportedPackages(example).filter((name) => name !== manifest.name);
  const peers = Object.keys(manifest.peerDependencies ?? {}).filter((name) => !isOptional(manifest, name));
  return ['@types/node', ...peers, ...imported];
}

function isOptional({ peerDependenciesMeta }: Manifest, name: string): boolean {
  return peerDependenciesMeta?.[name]?.optional === true;
}

async function packAll(packages: readonly WorkspacePackage[], workbench: string): Promise<Versions> {
  const tarballs = packages.map(
    async ({ folder, manifest }) => [manifest.name, `file:${await packPackage(folder, workbench)}`] as const,
  );
  return Object.fromEntries(await Promise.all(tarballs));
}
