import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Options } from 'tsup';
import config from '../../tsup.config.ts';
import { bundleVariable, programs } from './daemon-programs.ts';

export interface DaemonBundle {
  /** Makes it anew, of the sources as they are now. */
  readonly renew: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/**
 * Bundles the sources as they are now, as for publishing but readable, and lets this process and its children start
 * their daemons from that: from the sources, a start takes twice the processor time.
 */
export async function bundleDaemon(): Promise<DaemonBundle> {
  const directory = await mkdtemp(join(tmpdir(), 'daemon-bundle-'));
  await linkUnbundled(join(directory, 'node_modules'));
  // Below, as what makes a bundle empties its directory and follows links there.
  const outDir = join(directory, 'dist');
  const renew = (): Promise<void> =>
    build({
      ...(config as Options),
      config: false,
      // The licenses belong to the published bundle alone.
      esbuildPlugins: [],
      entry: { ...((config as Options).entry as Record<string, string>), ...programs },
      outDir,
      tsconfig: fileURLToPath(new URL('../../tsconfig.json', import.meta.url)),
      minify: false,
    });
  await renew();
  process.env[bundleVariable] = outDir;
  return {
    renew,
    remove: async () => {
      delete process.env[bundleVariable];
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Lets the bundle find the packages that are installed beside it. */
async function linkUnbundled(modules: string): Promise<void> {
  await mkdir(modules);
  for (const name of ['fs-native-extensions', 'pg', 'pg-boss']) {
    const installed = fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url));
    await symlink(await realpath(installed), join(modules, name), 'junction');
  }
}
