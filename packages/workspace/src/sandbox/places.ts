import { lstat, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isInside, type ShownPlace } from './sandbox-arguments.ts';

/** Programs and libraries of the system; a link among them is shown as a link. */
export const systemDirectories = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'],
  ...['/nix/store', '/gnu/store'],
];

/** Parts of `/etc` that programs read and that hold no secret: libraries, names, certificates, the time zone, settings of languages. */
const etcNames =
  /^(alternatives|ca-certificates|ca-certificates\.conf|crypto-policies|debian_version|dotnet|fonts|gai\.conf|group|host\.conf|hosts|java(-.*)?|ld\.so\.cache|ld\.so\.conf|ld\.so\.conf\.d|locale\.alias|localtime|lsb-release|magic|mime\.types|nsswitch\.conf|.*-release|os-release|passwd|perl|php.*|protocols|python[\d.]*|resolv\.conf|ruby.*|rpc|services|shells|terminfo|timezone|xml)$/;

const etcPaths = [
  ...['/etc/ssl/certs', '/etc/ssl/cert.pem', '/etc/ssl/openssl.cnf'],
  ...['/etc/pki/tls/certs', '/etc/pki/tls/cert.pem', '/etc/pki/tls/openssl.cnf', '/etc/pki/ca-trust'],
  ...['/etc/pki/java', '/sys/devices/system/cpu'],
];

/** Arguments of bubblewrap that show the system to be read. */
export async function showSystem(): Promise<readonly string[]> {
  const names = (await readdir('/etc').catch(() => [])).filter((name) => etcNames.test(name));
  const directories = await Promise.all(systemDirectories.map(showDirectory));
  const files = [...names.map((name) => join('/etc', name)), ...etcPaths];
  return [...directories.flat(), ...files.flatMap((path) => ['--ro-bind-try', path, path])];
}

async function showDirectory(path: string): Promise<readonly string[]> {
  const state = await lstat(path).catch(() => null);
  if (state === null) return [];
  return state.isSymbolicLink() ? ['--symlink', await readlink(path), path] : ['--ro-bind-try', path, path];
}

/** Library directories beside a `bin`. */
const libraries = ['lib', 'lib32', 'lib64', 'libexec', 'include', 'share'] as const;

/** Kits that keep more beside their `bin`, known by a file or directory that only they have. */
const kits = [
  { marker: 'pyvenv.cfg', shows: ['pyvenv.cfg'] },
  { marker: 'jmods', shows: ['jmods', 'conf', 'legal', 'release'] },
  { marker: 'go.env', shows: ['go.env', 'VERSION', 'src', 'pkg'] },
  { marker: 'boot', shows: ['boot', 'conf'] },
] as const;

interface ShownPlacesOptions {
  /** Absolute directories of the command's PATH. */
  readonly directories: readonly string[];
  /** Absolute path of the program, and of others that it may start. */
  readonly programs: readonly string[];
  /** Further paths that the configuration shows. */
  readonly extra: readonly string[];
  readonly homes: readonly string[];
}

/**
 * Finds what must be shown of tools outside the system's directories: each directory of PATH as itself, and the library
 * directories that belong to it. Nothing else that lies beside it, and never a whole home.
 */
export async function listShownPlaces(options: ShownPlacesOptions): Promise<readonly ShownPlace[]> {
  const { homes } = options;
  const isHome = (path: string) => homes.some((home) => isInside(path, home));
  const places = new Map<string, string>();
  const add = async (path: string) => {
    const source = await realpath(path).catch(() => null);
    if (source === null || isHome(source) || isSystem(source)) return;
    places.set(path, source).set(source, source);
  };
  const addBin = async (directory: string) => {
    await add(directory);
    for (const path of await listLibraries(directory, homes)) await add(path);
  };
  for (const directory of options.directories) {
    const real = await realpath(directory).catch(() => directory);
    for (const path of new Set([directory, real])) if (!isSystem(path)) await addBin(path);
  }
  for (const program of options.programs) {
    const real = await realpath(program).catch(() => program);
    if (isSystem(real)) continue;
    await add(real);
    await addBin(dirname(real));
  }
  for (const path of options.extra) {
    const source = await realpath(path).catch(() => null);
    if (source !== null) places.set(path, source).set(source, source);
  }
  return [...places].map(([path, source]) => ({ path, source }));
}

function isSystem(path: string): boolean {
  return systemDirectories.some((directory) => isInside(directory, path));
}

/** Paths beside a `bin` that its programs need. `~/bin` has none, `~/.local/bin` only `~/.local/lib`. */
async function listLibraries(directory: string, homes: readonly string[]): Promise<readonly string[]> {
  const parent = dirname(directory);
  const name = basename(directory);
  if (homes.some((home) => isInside(parent, home))) return [];
  if (homes.some((home) => parent === join(home, '.local'))) return [join(parent, 'lib')];
  if (name === '.bin') return basename(parent) === 'node_modules' ? [parent] : [];
  if (name === 'shims') return ['versions', 'installs', 'plugins', 'libexec'].map((one) => join(parent, one));
  if (name !== 'bin' && name !== 'sbin') return [];
  const beside = new Set(await readdir(parent).catch(() => []));
  const kit = kits.filter(({ marker }) => beside.has(marker)).flatMap(({ shows }) => shows);
  return [...libraries, ...kit].filter((one) => beside.has(one)).map((one) => join(parent, one));
}

/** Places below a home in which people keep keys and passwords. */
const secretPlaces = [
  ...[
    '.ssh',
    '.gnupg',
    '.aws',
    '.azure',
    '.config',
    '.docker',
    '.kube',
    '.fly',
    '.local/share',
    '.password-store',
  ],
  ...[
    '.netrc',
    '.npmrc',
    '.pypirc',
    '.pgpass',
    '.git-credentials',
    '.yarnrc.yml',
    '.vault-token',
    '.m2/settings.xml',
  ],
  ...['.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials', '.gradle/gradle.properties'],
];

/** Names of such files wherever they lie. */
const secretName =
  /^(\.env(\..*)?|\.?credentials?(\..*)?|config\.(json|ya?ml|toml|ini)|\.npmrc|\.netrc|\.pypirc|\.pgpass|\.git-credentials|\.yarnrc\.yml|\.(ssh|gnupg|aws|azure|docker|kube|fly)|id_(rsa|dsa|ecdsa|ed25519)|agent\.config\.ya?ml)$/i;

interface HiddenPlaces {
  readonly hiddenDirectories: readonly string[];
  readonly hiddenFiles: readonly string[];
}

/**
 * Finds what lies inside shown places and must not be seen: the daemon's own files, and other programs' secrets; under
 * every path that shows it.
 */
export async function listHiddenPlaces(options: {
  readonly system: readonly string[];
  /** May hold anything, so that it is searched for secrets: tools, not the system. */
  readonly shown: readonly ShownPlace[];
  readonly hidden: readonly string[];
  readonly homes: readonly string[];
}): Promise<HiddenPlaces> {
  const { system, shown, homes, hidden } = options;
  const named = homes.flatMap((home) => secretPlaces.map((place) => join(home, place)));
  const found = await Promise.all(shown.map(({ source }) => findSecrets(source)));
  const places = [...shown, ...system.map((path) => ({ path, source: path }))];
  const hiddenDirectories: string[] = [];
  const hiddenFiles: string[] = [];
  for (const real of await existing([...hidden, ...named, ...found.flat()])) {
    const list = (await stat(real)).isDirectory() ? hiddenDirectories : hiddenFiles;
    const showing = places.filter(({ source }) => isInside(source, real));
    list.push(...showing.map(({ path, source }) => path + real.slice(source.length)));
  }
  return {
    hiddenDirectories: [...new Set(hiddenDirectories)],
    hiddenFiles: [...new Set(hiddenFiles)],
  };
}

async function findSecrets(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch(() => []);
  return names.filter((name) => secretName.test(name)).map((name) => join(directory, name));
}

/** Real paths of those that exist, each once. */
async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => null)));
  return [...new Set(real.filter((path): path is string => path !== null))];
}

export async function listHomes(): Promise<readonly string[]> {
  const people = (await readdir('/home').catch(() => [])).map((name) => join('/home', name));
  return existing([homedir(), '/root', '/home', ...people]);
}
