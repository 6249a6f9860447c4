import { join } from 'node:path';
import { daemonVariable } from '../machine/directories.ts';

/** Environment variables, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Directories that a git command works in. Always explicit, so that no `.git` file in a worktree is ever believed. */
export interface GitPlace {
  /** The repository's shared directory: objects, refs, config. */
  readonly commonDirectory: string;
  /** The worktree's own directory inside it (index, HEAD); the shared one for the repository itself. */
  readonly gitDirectory: string;
  readonly workTree: string | null;
  /** The branch that the worktree is on; null for the repository itself. */
  readonly branch: string | null;
  /**
   * The shared directory whose objects the snapshots in this repository rest on. Files go in and come out byte for byte there,
   * whatever their attributes say. Default none: it holds no snapshots.
   */
  readonly snapshotsOf?: string | undefined;
  /** Another index than the place's own. Default none. */
  readonly indexFile?: string | undefined;
}

/** Author and committer of commits. */
export interface GitIdentity {
  readonly name: string;
  readonly email: string;
}

/** Key that git signs commits with, and how. */
export interface GitSignature {
  /** Key of the configuration that names it, for messages. */
  readonly source: string;
  readonly settings: readonly (readonly [string, string])[];
  /** Directory of gpg's keyring; null for a signature that needs none. */
  readonly keyring: string | null;
}

interface GitEnvironmentOptions {
  /** Key for a git that makes commits; none by default. */
  readonly signature?: GitSignature | undefined;
  /** The server that git logs in to with what it finds in its pipe; null or none for a git that does not log in. */
  readonly server?: URL | null | undefined;
  readonly identity: GitIdentity;
  /** Milliseconds since the epoch, for the dates of commits. */
  readonly now: number;
  /** The daemon's environment: PATH, proxies and certificate stores are taken from it, nothing else. */
  readonly inherited: Environment;
}

const passedOn = [
  'PATH',
  'TMPDIR',
  ...[
    'HTTPS_PROXY',
    'https_proxy',
    'HTTP_PROXY',
    'http_proxy',
    'ALL_PROXY',
    'all_proxy',
    'NO_PROXY',
    'no_proxy',
  ],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH'],
] as const;

/** Settings that outrank every configuration file: nothing in a repository can start a program or move a token. */
const settings: readonly (readonly [string, string])[] = [
  ['credential.helper', ''],
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.untrackedCache', 'false'],
  ['core.attributesFile', '/dev/null'],
  ['core.excludesFile', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['core.quotePath', 'false'],
  ['safe.directory', '*'],
  ['http.followRedirects', 'false'],
  ['http.sslVerify', 'true'],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '60'],
  ['protocol.ext.allow', 'never'],
  ['submodule.recurse', 'false'],
  ['diff.ignoreSubmodules', 'all'],
  ['commit.gpgSign', 'false'],
  ['push.gpgSign', 'false'],
  ['rebase.autoStash', 'false'],
  ['rebase.updateRefs', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
];

/**
 * The whole environment of a git process. Settings travel as variables, not as arguments or files.
 *
 * @see https://git-scm.com/docs/git#_environment_variables
 */
export function gitEnvironment(
  place: GitPlace,
  { server = null, signature, identity, now, inherited }: GitEnvironmentOptions,
): Record<string, string> {
  const date = `@${Math.floor(now / 1000)} +0000`;
  return {
    ...pick(inherited),
    ...(place.workTree === null ? {} : { GIT_WORK_TREE: place.workTree }),
    GIT_DIR: place.gitDirectory,
    GIT_COMMON_DIR: place.commonDirectory,
    ...(place.snapshotsOf === undefined
      ? {}
      : { GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(place.snapshotsOf, 'objects')) }),
    ...(place.indexFile === undefined ? {} : { GIT_INDEX_FILE: place.indexFile }),
    [daemonVariable]: String(process.pid),
    HOME: '/dev/null',
    LC_ALL: 'C',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'false',
    GIT_EDITOR: 'false',
    GIT_SEQUENCE_EDITOR: 'true',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ALLOW_PROTOCOL: 'http:https',
    GIT_AUTHOR_NAME: identity.name,
    GIT_AUTHOR_EMAIL: identity.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: identity.name,
    GIT_COMMITTER_EMAIL: identity.email,
    GIT_COMMITTER_DATE: date,
    ...(signature?.keyring == null ? {} : { GNUPGHOME: signature.keyring }),
    ...settingVariables(server, signature?.settings ?? []),
  };
}

function pick(inherited: GitEnvironmentOptions['inherited']): Record<string, string> {
  const entries = passedOn.map((name) => [name, inherited[name]] as const);
  return Object.fromEntries(
    entries.filter((entry): entry is readonly [(typeof passedOn)[number], string] => entry[1] !== undefined),
  );
}

function settingVariables(server: URL | null, signing: GitSignature['settings']): Record<string, string> {
  // Behind the empty one, which takes away all that files may have named.
  const login = server === null ? [] : [[`credential.${server.origin}.helper`, helper] as const];
  const all = [...settings, ...signing, ...login];
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(all.length) };
  all.forEach(([key, value], index) => {
    variables[`GIT_CONFIG_KEY_${index}`] = key;
    variables[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return variables;
}

/** Login for git. */
export interface GitLogin {
  readonly username: string;
  readonly token: string;
}

/** Pipe of a git process that its login is read from. */
const loginPipe = 3;

/** Times that a git process may ask for its login: it asks once for each program that it starts to talk to its server. */
const mostQuestions = 8;

/**
 * Reads one login from the pipe that git's helper inherits: two lines, by the shell itself, so that they are in no argument, variable
 * or file. Git asks it about the server that it is configured for alone, whatever redirects git elsewhere.
 *
 * @see https://git-scm.com/docs/gitcredentials#_custom_helpers
 */
const helper = `!f() { test "$1" != get || { read -r u && read -r p && printf 'username=%s\\npassword=%s\\n' "$u" "$p"; } <&${loginPipe}; }; f`;

/** Composes what is written to the pipe. */
export function formatLogin({ username, token }: GitLogin): string {
  return `${username}\n${token}\n`.repeat(mostQuestions);
}
