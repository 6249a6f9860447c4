import { isPush, type ServiceRequest } from '../../shared/git/service-request.ts';
import { type Reply, textReply } from '../../shared/http/reply.ts';
import { accessLevels, levelOf, mayReadCode, maySee } from '../state/access.ts';
import type { Project, State, Token } from '../state/model.ts';
import { findProject } from '../state/projects.ts';

/** A request of git's smart protocol. */
export interface GitRequest extends ServiceRequest {
  /** Path of the project. */
  readonly project: string;
  readonly hasSuffix: boolean;
}

/** Recognises git's addresses; null for anything else. */
export function parseGitRequest(path: string, query: string): GitRequest | null {
  const match = /^\/(.+?)(\.git)?(\/info\/refs|\/git-upload-pack|\/git-receive-pack)$/.exec(path);
  const [, project = '', suffix, service = ''] = match ?? [];
  return match && !project.startsWith('api/')
    ? { project, hasSuffix: suffix !== undefined, service, query }
    : null;
}

/**
 * The project, or why git gets nothing: 401 without credentials where they are needed, 403 for what they do not allow,
 * 404 for what they must not even know of.
 * @see https://docs.gitlab.com/topics/git/clone/#clone-with-https
 */
export function authorizeGit(state: State, request: GitRequest, token: Token | null): Project | Reply {
  const project = findProject(state, request.project);
  const user = token?.user ?? null;
  const push = isPush(request);
  if (!token && (push || !project || !mayReadCode(state, project, null))) return askForCredentials();
  if (!project || !maySee(state, project, user)) {
    return textReply(
      404,
      "The project you were looking for could not be found or you don't have permission to view it.\n",
    );
  }
  if (token && !allows(token, push)) return askForCredentials();
  if (!mayReadCode(state, project, user))
    return textReply(403, 'You are not allowed to download code from this project.\n');
  if (push && levelOf(state, project, user) < accessLevels.developer) {
    return textReply(403, 'You are not allowed to push code to this project.\n');
  }
  return project;
}

/** 401 that makes git ask its credential helper. */
function askForCredentials(): Reply {
  const text =
    "HTTP Basic: Access denied. If a password was provided for Git authentication, the password was incorrect or you're required to use a token instead of a password. If a token was provided, it was either incorrect, expired, or improperly scoped.\n";
  return textReply(401, text, { 'www-authenticate': 'Basic realm="GitLab"' });
}

/** `api` and `write_repository` push and fetch, `read_repository` fetches. @see https://docs.gitlab.com/user/profile/personal_access_tokens/#personal-access-token-scopes */
function allows({ scopes }: Token, push: boolean): boolean {
  if (scopes.has('api') || scopes.has('write_repository')) return true;
  return !push && scopes.has('read_repository');
}
