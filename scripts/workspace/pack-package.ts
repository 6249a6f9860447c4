import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from './root.ts';

/**
 * Makes the tarball that would be published and returns its path. pnpm does it, because only pnpm puts
 * `publishConfig.exports` and the catalog's versions in place. What was built before is packed.
 */
export async function packPackage(folder: string, destination: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    'pnpm',
    ['pack', '--json', '--pack-destination', destination],
    {
      cwd: join(repositoryRoot, folder),
    },
  );
  const { filename } = JSON.parse(stdout) as { filename: string };
  return filename;
}
