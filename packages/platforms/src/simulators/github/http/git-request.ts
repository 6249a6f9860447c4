import type { Simulation } from '../simulation.ts';
import { may, roleOf } from '../state/access.ts';
import type { Repository, Token } from '../state/model.ts';
import { findRepository, fullName } from '../state/repositories.ts';
import type { Reply } from './reply.ts';

/** A request of git's smart protocol. */
export interface GitRequest {
  readonly owner: string;
  readonly name: string;
  /** What follows the repository: `/info/refs`, `/git-upload-pack`, `/git-receive-pack`. */
  readonly service: string;
  readonly query: string;
}

/** Recognises git's addresses, with or without `.git`; null for anything else. */
export function parseGitRequest(path: string, query: string): GitRequest | null {
  const match = /^\/([^/]+)\/([^/]+?)(?:\.git)?(\/info\/refs|\/git-upload-pack|\/git-receive-pack)$/.exec(
    path,
  );
  const [, owner = '', name = '', service = ''] = match ?? [];
  return match && owner !== 'repos' ? { owner, name, service, query } : null;
}

function isPush({ service, query }: GitRequest): boolean {
  return (
    service === '/git-receive-pack' || (service === '/info/refs' && /service=git-receive-pack\b/.test(query))
  );
}

/**
 * The repository, or why git gets nothing: 401 without credentials where they are needed, 403 for what they do not
 * allow, 404 for what they must not even know of.
 * @see https://docs.github.com/get-started/git-basics/about-remote-repositories#cloning-with-https-urls
 */
export function authorizeGit(
  { state }: Simulation,
  request: GitRequest,
  token: Token | null,
): Repository | Reply {
  const repository = findRepository(state, `${request.owner}/${request.name}`);
  const user = token?.user ?? null;
  const push = isPush(request);
  if (!repository || !roleOf(repository, user))
    return token ? plain(404, 'Repository not found.\n') : askForCredentials();
  if (push && !token) return askForCredentials();
  const contents = token?.permissions.contents ?? 'read';
  if (contents === 'none' && (repository.private || push))
    return plain(403, 'Write access to repository not granted.\n');
  if (!push) return repository;
  if (!may(repository, user, 'write')) {
    return plain(403, `Permission to ${fullName(repository)}.git denied to ${user?.login}.\n`);
  }
  return contents === 'write' ? repository : plain(403, 'Write access to repository not granted.\n');
}

/** 401 that makes git ask its credential helper. */
export function askForCredentials(): Reply {
  const text = 'Invalid username or token. Password authentication is not supported for Git operations.\n';
  const reply = plain(401, text);
  return { ...reply, headers: { ...reply.headers, 'www-authenticate': 'Basic realm="GitHub"' } };
}

function plain(status: number, text: string): Reply {
  return { status, headers: { 'content-type': 'text/plain' }, content: Buffer.from(text) };
}
