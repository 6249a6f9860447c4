import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WorkspaceError } from '../workspace-error.ts';

/** Where a repository is fetched from and pushed to. */
export interface CloneAddress {
  /** As git takes it. */
  readonly text: string;
  /** The server to log in to; null for a repository on this machine, which no token is ever given to. */
  readonly server: URL | null;
}

export interface CloneAddressOptions {
  /** Whether a path on this machine may stand for an address. Never for what a server told us. */
  readonly localRepositories: boolean;
}

/**
 * Checks an address: http or https without credentials, or, where that is allowed, an absolute path or `file:` URL.
 *
 * @throws WorkspaceError `invalid`
 */
export function parseCloneAddress(text: string, { localRepositories }: CloneAddressOptions): CloneAddress {
  if (localRepositories) {
    const path = text.startsWith('file:') ? toPath(text) : text;
    if (path !== null && isAbsolute(path)) return { text: path, server: null };
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw refused(text, localRepositories);
  if (url.username !== '' || url.password !== '') {
    throw new WorkspaceError(
      'The clone address holds credentials. Take them out of the address; the token is passed another way.',
      { code: 'invalid' },
    );
  }
  return { text, server: url };
}

function toPath(text: string): string | null {
  try {
    return fileURLToPath(text);
  } catch {
    // Another host, or an escape that no path has: the caller says what would do.
    return null;
  }
}

function refused(text: string, localRepositories: boolean): WorkspaceError {
  const expected = localRepositories
    ? 'an http(s) address, an absolute path or a file: URL of this machine'
    : 'an http(s) address';
  return new WorkspaceError(`"${text}" cannot be used as clone address: expected ${expected}.`, {
    code: 'invalid',
  });
}
