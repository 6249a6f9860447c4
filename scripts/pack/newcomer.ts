import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { hangMs } from './create-project.ts';

/** The way to the registry, where a machine has its own. */
const ofNetwork =
  /^(NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|(npm_config_)?(https?|no)_?proxy|npm_config_registry)$/i;

/** An account that owns nothing, on Linux; null where this process may not become another. */
export const otherAccount: number | null = process.getuid?.() === 0 ? 65_534 : null;

/** Somebody with an empty directory, empty caches, and the Node that is named. */
export interface Newcomer {
  readonly folder: string;
  /** Runs a program there, and returns all that it wrote. Rejects where it fails, with the same. */
  readonly run: (command: readonly [string, ...string[]], environment?: NodeJS.ProcessEnv) => Promise<string>;
  readonly leave: () => void;
}

export interface NewcomerOptions {
  readonly workbench: string;
  /** Program of the Node that is found first. */
  readonly node: string;
  /** Null for the account of this process. */
  readonly account: number | null;
}

/** Makes the empty directory; of what this process was told only the way to the registry reaches what is run there. */
export function welcomeNewcomer({ workbench, node, account }: NewcomerOptions): Newcomer {
  const home = mkdtempSync(join(workbench, 'newcomer-'));
  const folder = join(home, 'empty');
  const temporary = join(home, 'tmp');
  for (const one of [folder, temporary]) mkdirSync(one);
  for (const one of [home, folder, temporary]) {
    chmodSync(one, 0o700);
    if (account !== null) chownSync(one, account, account);
  }
  const identity = account === null ? {} : { uid: account, gid: account };
  const network = Object.entries(process.env).filter(([name]) => ofNetwork.test(name));
  const plain = {
    ...Object.fromEntries(network),
    HOME: home,
    TMPDIR: temporary,
    PATH: `${dirname(node)}:/usr/local/bin:/usr/bin:/bin`,
    LANG: 'C.UTF-8',
  };
  return {
    folder,
    run: async ([program, ...args], environment = {}) => {
      const env = { ...plain, npm_config_update_notifier: 'false', ...environment };
      try {
        const options = {
          cwd: folder,
          env,
          signal: AbortSignal.timeout(hangMs),
          maxBuffer: 2 ** 26,
          ...identity,
        };
        const { stdout, stderr } = await promisify(execFile)(program, args, options);
        return `${stdout}${stderr}`;
      } catch (error) {
        const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
        throw new Error(`${[program, ...args].join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
      }
    },
    leave: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** Size of the packages that were installed in a folder. */
export interface Installed {
  readonly packages: number;
  readonly bytes: number;
}

/** Counts what an installation brought. */
export function measureInstalled(folder: string): Installed {
  const modules = join(folder, 'node_modules');
  const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  const manifest = /node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/;
  return {
    packages: paths.filter((path) => manifest.test(path)).length,
    bytes: paths.reduce((sum, path) => sum + statSync(path).size, 0),
  };
}
