import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPlanted } from '@agent/simulators/trials';

/** Names the directory of the bundle, where one was made. */
export const bundleVariable = 'DAEMON_TEST_BUNDLE';

/** What tests start in processes of their own: the daemon, and what carries out one command of it after the other. */
export const programs = {
  main: fileURLToPath(new URL('../../src/main.ts', import.meta.url)),
  host: fileURLToPath(new URL('./daemon-host.ts', import.meta.url)),
};

export interface StartableProgram {
  readonly nodeArguments: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** How to start one: from the bundle of this run of the tests, or else, and with what is planted, from the sources. */
export function findProgram(name: keyof typeof programs): StartableProgram {
  const { [bundleVariable]: bundle, NODE_COMPILE_CACHE } = process.env;
  const planted = findPlanted();
  return bundle === undefined || planted !== null
    ? {
        nodeArguments: ['--conditions=@agent/source', ...(planted?.nodeArguments ?? []), programs[name]],
        environment: { NODE_COMPILE_CACHE, ...planted?.environment },
      }
    : {
        nodeArguments: [join(bundle, `${name}.js`)],
        // What is compiled of it goes with it.
        environment: { NODE_COMPILE_CACHE: join(bundle, 'compiled') },
      };
}
