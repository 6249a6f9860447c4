import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listPublishablePackages } from '../workspace/list-packages.ts';
import { repositoryRoot } from '../workspace/root.ts';
import { listBundledFiles, type Metafile } from './third-party-licenses.ts';

/** Bundles an app once more, into a folder that is thrown away, and lists the packages that gave code to it, as `name@version`. */
export async function listBundled(app: string): Promise<ReadonlySet<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-bundle-'));
  try {
    const cwd = join(repositoryRoot, app);
    await promisify(execFile)('pnpm', ['exec', 'tsup', '--metafile', '--out-dir', folder], { cwd });
    const metafile = JSON.parse(readFileSync(join(folder, 'metafile-esm.json'), 'utf8')) as Metafile;
    return new Set(
      listBundledFiles(metafile)
        .map(toPackage)
        .filter((name) => name !== null),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tells the package of a file by the folder that pnpm, or this repository, keeps it in; null for the app's own. */
function toPackage(path: string): string | null {
  const [, version, name] =
    /node_modules\/\.pnpm\/@?[^@/]+@([^_(/]+)[^/]*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  if (name !== undefined) return `${name}@${version}`;
  if (path.includes('node_modules/')) throw new Error(`${path} lies where no package is known.`);
  const member = listPublishablePackages().find(({ folder }) => path.startsWith(`../../${folder}/`));
  return member === undefined ? null : `${member.manifest.name}@${member.manifest.version}`;
}
