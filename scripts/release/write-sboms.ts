import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { listPublishablePackages, type WorkspacePackage } from '../workspace/list-packages.ts';
import { repositoryRoot } from '../workspace/root.ts';

/**
 * Writes a bill of materials of CycloneDX for each package: what the lockfile names for it. An app is one bundle: what it is
 * made of are its development dependencies, too.
 */
export async function writeSboms(folder: string, packages: readonly WorkspacePackage[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const { folder: member, manifest } of packages) {
    const isApp = member.startsWith('apps/');
    const kind = isApp ? ['--sbom-type', 'application'] : ['--prod'];
    const out = join(folder, `${manifest.name.replace('@', '').replace('/', '-')}.cdx.json`);
    const format = ['--sbom-format', 'cyclonedx', '--lockfile-only', ...kind, '--out', out];
    await promisify(execFile)('pnpm', ['sbom', ...format, '--filter', manifest.name], {
      cwd: repositoryRoot,
    });
  }
}

if (import.meta.main)
  await writeSboms(resolve(process.argv[2] ?? '.reports/release'), listPublishablePackages());
