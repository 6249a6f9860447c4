// What the children of the bootstrap see of the environment.
import { accessSync, constants, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/**
 * The environment of the command and of pnpm: our programs first on the PATH. `npm_config_*` of the npm that
 * called us is left out, because pnpm and what it starts would take it for their own settings. The name of the
 * script stays: the daemon names its commands by it.
 */
export function childEnvironment({ programs, spareHome }) {
  const isOfCaller = (name) => /^npm_(config_|package_|lifecycle_script$)/i.test(name);
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOfCaller(name)));
  const path = Object.keys(environment).find((name) => name.toLowerCase() === 'path') ?? 'PATH';
  environment[path] = [...programs, environment[path]].join(delimiter);
  const quiet = { TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' };
  return { ...environment, ...quiet, ...home(spareHome) };
}

/** npm needs its caller's own settings (registry, proxy, certificates), and a home for its cache. */
export function npmEnvironment({ spareHome }) {
  const replacement = home(spareHome);
  // An npm that calls us names its cache by variable, in the home that does not exist.
  const cache = replacement.HOME === undefined ? {} : { npm_config_cache: join(replacement.HOME, '.npm') };
  return { ...process.env, ...replacement, ...cache, npm_config_ignore_scripts: 'false' };
}

/** A registry given by variable holds for pnpm too. */
export function pnpmEnvironment(environment) {
  const registry = process.env.npm_config_registry;
  return registry ? { ...environment, pnpm_config_registry: registry } : environment;
}

/** Caches need a place even for an account whose home directory does not exist. */
function home(spareHome) {
  if (process.platform === 'win32' || isWritable(process.env.HOME || homedir())) return {};
  mkdirSync(spareHome, { recursive: true });
  return { HOME: spareHome };
}

function isWritable(path) {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
