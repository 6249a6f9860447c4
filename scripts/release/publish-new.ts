import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { listPublishablePackages } from '../workspace/list-packages.ts';
import { packPackage } from '../workspace/pack-package.ts';

const { values, positionals } = parseArgs({
  // Only the registry of npm can verify where a package was built.
  options: { 'no-provenance': { type: 'boolean' } },
  allowPositionals: true,
});
const folder = resolve(positionals[0] ?? '.reports/release');
const provenance = values['no-provenance'] === true ? [] : ['--provenance'];
mkdirSync(folder, { recursive: true });
for (const { folder: member, manifest } of listPublishablePackages()) {
  if (manifest.version === '0.0.0')
    throw new Error(`${manifest.name} has no version yet: npm run changeset -- version`);
  if (manifest.repository === undefined)
    throw new Error(`${manifest.name} names no repository yet: node scripts/release/prepare.ts`);
  const tarball = await packPackage(member, folder);
  if (isPublished(`${manifest.name}@${manifest.version}`)) continue;
  execFileSync('npm', ['publish', tarball, '--access', 'public', ...provenance], { stdio: 'inherit' });
}

/** Asks the registry; that it could not be asked is no "not yet". */
function isPublished(version: string): boolean {
  try {
    return (
      execFileSync('npm', ['view', version, 'version', '--json'], {
        encoding: 'utf8',
        stdio: 'pipe',
      }).trim() !== ''
    );
  } catch (error) {
    if (String((error as { stdout?: string }).stdout).includes('E404')) return false;
    throw error;
  }
}
