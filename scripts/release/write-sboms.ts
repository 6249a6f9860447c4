import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { listPublishablePackages, type WorkspacePackage } from '../workspace/list-packages.ts';
import { repositoryRoot } from '../workspace/root.ts';
import { listBundled } from './list-bundled.ts';
import { narrowSbom, type Sbom } from './narrow-sbom.ts';

/**
 * Writes a bill of materials of CycloneDX for each package: what the lockfile names for it that reaches those who install it. An
 * app is a bundle of its development dependencies: of these only what gave code to the bundle counts.
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
    if (!isApp) continue;
    const shipped = {
      bundled: await listBundled(member),
      installed: Object.keys(manifest.dependencies ?? {}),
    };
    const narrowed = narrowSbom(JSON.parse(readFileSync(out, 'utf8')) as Sbom, shipped);
    writeFileSync(out, `${JSON.stringify(narrowed, null, 2)}\n`);
  }
}

if (import.meta.main)
  await writeSboms(resolve(process.argv[2] ?? '.reports/release'), listPublishablePackages());
