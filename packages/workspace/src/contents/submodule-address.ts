import { repositorySegments } from '../git/workspace-task.ts';
import { WorkspaceError } from '../workspace-error.ts';

/** Repositories that submodules may come from. */
export interface SubmoduleRules {
  /**
   * `host/owner/repo`, `host/owner/*` or `host/*`. What is named on the repository's own server is fetched with its login, what is
   * named elsewhere without one; what is not named has to be public, on that server.
   */
  readonly allow: readonly string[];
  /** Most bytes that one fetch brings, and that all files of all submodules of a worktree take. */
  readonly maxBytes: number;
}

/** Repository that a submodule is fetched from. */
export interface SubmoduleAddress {
  readonly host: string;
  readonly repositoryPath: string;
  readonly cloneUrl: string;
  /** True where it is asked for with the login of the server that it is on. */
  readonly withLogin: boolean;
}

/** `address`: not one that is fetched from, such as a file of this machine; `not-allowed`: nobody has named it. */
export type RefusedAddress = 'address' | 'not-allowed';

/**
 * Decides where a submodule is fetched from. An address for SSH stands for the same repository by https. One without TLS is refused
 * if the task's repository is fetched by https.
 *
 * @example
 * const server = new URL('https://github.com/acme/shop.git');
 * findSubmoduleAddress('../lib.git', { parentUrl: server.href, server, allow: ['github.com/acme/*'] });
 */
export function findSubmoduleAddress(
  url: string,
  {
    parentUrl,
    server,
    allow,
  }: {
    /** Address of the repository that names it, which a relative one begins at. */
    readonly parentUrl: string;
    /** Server of the task's repository; null for one on this machine. */
    readonly server: URL | null;
  } & Pick<SubmoduleRules, 'allow'>,
): SubmoduleAddress | RefusedAddress {
  const target = toUrl(url, { parentUrl, server });
  if (target === null || !isPlain(target)) return 'address';
  if (target.protocol === 'http:' && server?.protocol === 'https:') return 'address';
  const repositoryPath = target.pathname
    .replace(/^\//, '')
    .replace(/\/$/, '')
    .replace(/\.git$/, '');
  if (!isRepository({ host: target.host, repositoryPath })) return 'address';
  const isOwn = target.origin === server?.origin;
  const isNamed = allow.some((pattern) => matches(pattern, `${target.host}/${repositoryPath}`));
  if (!isOwn && !isNamed) return 'not-allowed';
  return { host: target.host, repositoryPath, cloneUrl: target.href, withLogin: isOwn && isNamed };
}

function toUrl(
  url: string,
  { parentUrl, server }: { readonly parentUrl: string; readonly server: URL | null },
): URL | null {
  if (/^\.\.?\//.test(url)) return parse(url, `${parentUrl.replace(/\/$/, '')}/`);
  const named = /^[\w.-]{1,100}@([\w.-]{1,253}):([^/].*)$/.exec(url);
  const shell = url.startsWith('ssh://') ? parse(url) : null;
  const [host = '', path = ''] = named?.slice(1) ?? (shell === null ? [] : [shell.hostname, shell.pathname]);
  if (host === '') return parse(url);
  const origin = host.toLowerCase() === server?.hostname ? server.origin : `https://${host}`;
  return parse(`/${path.replace(/^\//, '')}`, origin);
}

const parse = (url: string, base?: string): URL | null =>
  URL.canParse(url, base) ? new URL(url, base) : null;

/** Nothing but a place on a web server: no login, no query. */
function isPlain({ protocol, username, password, search, hash }: URL): boolean {
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '');
}

function isRepository(place: { readonly host: string; readonly repositoryPath: string }): boolean {
  try {
    return repositorySegments(place).length > 2;
  } catch (error) {
    if (error instanceof WorkspaceError) return false;
    throw error;
  }
}

/** Names of hosts and repositories are one whatever their case. */
function matches(pattern: string, place: string): boolean {
  const [wanted, name] = [pattern.toLowerCase(), place.toLowerCase()];
  return wanted.endsWith('/*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted;
}
