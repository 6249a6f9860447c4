// @module-tag full
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listPublishablePackages, type Manifest } from '../workspace/list-packages.ts';
import { repositoryRoot } from '../workspace/root.ts';
import { runIn } from './create-project.ts';
import { installAlone } from './install-alone.ts';
import { readPinnedVersions } from './pinned-versions.ts';
import { readReadmeExample } from './readme-example.ts';

const BUILD_TIMEOUT_MS = 180_000;
const INSTALL_TIMEOUT_MS = 120_000;

const members = listPublishablePackages();
/** All in `npm run test:full`; in `npm test` the one that needs all the others, and the one that none of them needs. */
const isTried = (name: string): boolean =>
  process.env.TEST_FULL === '1' || ['@agent/orchestrator', '@agent/simulators'].includes(name);
const libraries = members.filter(({ manifest }) => manifest.exports !== undefined && isTried(manifest.name));
const programs = members.filter(({ manifest }) => listPrograms(manifest).length > 0);
const workbench = mkdtempSync(join(tmpdir(), 'agent-pack-'));
const pinned = readPinnedVersions();

/** Names of the programs that a package brings; some are only there once it is published. */
function listPrograms({ bin, publishConfig }: Manifest): readonly string[] {
  return Object.keys({ ...bin, ...publishConfig?.bin });
}

beforeAll(async () => {
  // A package that does not build fails below, by name; the others are tested all the same.
  const build = runIn(repositoryRoot, ['turbo', 'run', 'build', '--continue', '--output-logs=errors-only']);
  await build.catch((error: Error) => console.error(error.message));
}, BUILD_TIMEOUT_MS);

afterAll(() => rmSync(workbench, { recursive: true, force: true }));

describe.each(libraries)('$manifest.name', ({ folder, manifest }) => {
  it(
    'installs alone, type-checks and runs its README example [NX-10, NX-390]',
    async () => {
      const example = readReadmeExample(folder);
      const project = await installAlone({ folder, manifest }, { workbench, versions: pinned, example });
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
      const project = await installAlone({ folder, manifest }, { workbench, versions: pinned });
      for (const name of listPrograms(manifest)) {
        const help = await runIn(project, [join(project, 'node_modules', '.bin', name), '--help']);
        expect(help).toMatch(new RegExp(`usage: ${name}`, 'i'));
      }
    },
    INSTALL_TIMEOUT_MS,
  );
});
