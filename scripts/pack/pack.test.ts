import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  listNeeded,
  listPublishablePackages,
  type Manifest,
  type WorkspacePackage,
} from '../workspace/list-packages.ts';
import { packPackage } from '../workspace/pack-package.ts';
import { repositoryRoot } from '../workspace/root.ts';
import { createProject, runIn } from './create-project.ts';
import { readPinnedVersions, type Versions } from './pinned-versions.ts';
import { listImportedPackages, readReadmeExample } from './readme-example.ts';

const BUILD_TIMEOUT_MS = 180_000;
const INSTALL_TIMEOUT_MS = 120_000;

const members = listPublishablePackages();
const libraries = members.filter(({ manifest }) => manifest.exports !== undefined);
const programs = members.filter(({ manifest }) => manifest.bin !== undefined);
const workbench = mkdtempSync(join(tmpdir(), 'agent-pack-'));
const pinned = readPinnedVersions();

beforeAll(async () => {
  // A package that does not build fails below, by name; the others are tested all the same.
  const build = runIn(repositoryRoot, ['turbo', 'run', 'build', '--continue', '--output-logs=errors-only']);
  await build.catch((error: Error) => console.error(error.message));
}, BUILD_TIMEOUT_MS);

afterAll(() => rmSync(workbench, { recursive: true, force: true }));

describe.each(libraries)('$manifest.name', ({ folder, manifest }) => {
  it(
    'installs alone, type-checks and runs its README example [NX-10]',
    async () => {
      const example = readReadmeExample(folder);
      const project = await installAlone({ folder, manifest }, companionsOf(manifest, example));
      writeFileSync(join(project, 'example.ts'), example);
      await runIn(project, ['tsc', '-p', '.']);
      await runIn(project, ['node', 'example.ts']);
    },
    INSTALL_TIMEOUT_MS,
  );
});

describe.each(programs)('$manifest.name', ({ folder, manifest }) => {
  it(
    'starts with nothing else installed [NX-10]',
    async () => {
      const project = await installAlone({ folder, manifest }, {});
      for (const name of Object.keys(manifest.bin ?? {})) {
        const help = await runIn(project, [join(project, 'node_modules', '.bin', name), '--help']);
        expect(help).toMatch(new RegExp(`usage: ${name}`, 'i'));
      }
    },
    INSTALL_TIMEOUT_MS,
  );
});

/** What the package asks its user to install beside it, and what the example uses on top. */
function companionsOf(manifest: Manifest, example: string): Versions {
  const imported = listImportedPackages(example).filter((name) => name !== manifest.name);
  const peers = Object.keys(manifest.peerDependencies ?? {}).filter((name) => !isOptional(manifest, name));
  return Object.fromEntries(
    ['@types/node', ...peers, ...imported].map((name) => [name, pinned[name] ?? '*']),
  );
}

function isOptional({ peerDependenciesMeta }: Manifest, name: string): boolean {
  return peerDependenciesMeta?.[name]?.optional === true;
}

async function installAlone({ folder, manifest }: WorkspacePackage, companions: Versions): Promise<string> {
  expect(existsSync(join(repositoryRoot, folder, 'dist')), `${folder} was not built, see above`).toBe(true);
  const project = join(workbench, folder);
  const needed = listNeeded(members, manifest);
  const tarballs = await packAll([{ folder, manifest }, ...needed]);
  const dependencies = { ...companions, [manifest.name]: tarballs[manifest.name] ?? '' };
  await createProject({ folder: project, dependencies, overrides: { ...pinned, ...tarballs } });
  const lockfile = readFileSync(join(project, 'pnpm-lock.yaml'), 'utf8');
  const ours = new Set([...lockfile.matchAll(/@agent\/[\w-]+/g)].map(([name]) => name));
  const expected = [manifest, ...needed.map((one) => one.manifest)].map(({ name }) => name);
  expect([...ours].sort(), 'other packages of ours came along').toEqual(expected.sort());
  return project;
}

async function packAll(packages: readonly WorkspacePackage[]): Promise<Versions> {
  const tarballs = packages.map(
    async ({ folder, manifest }) => [manifest.name, `file:${await packPackage(folder, workbench)}`] as const,
  );
  return Object.fromEntries(await Promise.all(tarballs));
}
