import { serveGit } from '../../shared/git/http-backend.ts';
import { isPush, type ServiceRequest } from '../../shared/git/service-request.ts';
import { type Address, parseAddress } from '../../shared/http/address.ts';
import type { Exchange, Streamed } from '../../shared/http/exchange.ts';
import { type Reply, textReply } from '../../shared/http/reply.ts';
import { protectDefaultBranch } from '../add-project.ts';
import type { SimulatedGitLabFailure } from '../gitlab-simulator.ts';
import { readBranches } from '../merge-requests/branches.ts';
import { syncAfterPush } from '../merge-requests/sync-merge-requests.ts';
import type { Simulation } from '../simulation.ts';
import { accessLevels, levelOf, mayReadCode, maySee } from '../state/access.ts';
import type { Project, State, Token, User } from '../state/model.ts';
import { findProject } from '../state/projects.ts';
import { writePushRules } from './push-rules.ts';

/** Serves a git request; a reply is returned where git itself is not even asked. A push brings merge requests up to date. */
export async function handleGit(
  simulation: Simulation,
  exchange: Exchange<SimulatedGitLabFailure> & { readonly git: GitRequest; readonly token: Token | null },
): Promise<Streamed> {
  const { git: request, incoming, outgoing, token, failure } = exchange;
  const allowed = authorizeGit(simulation.state, request, token);
  if ('status' in allowed) return allowed;
  if (!request.hasSuffix) return redirect(exchange);
  if (isPush(request) && token) await preparePush(simulation, allowed, token.user);
  const status = await serveGit(simulation.git, {
    request: {
      path: `/${allowed.id}.git${request.service}`,
      query: request.query,
      login: token?.user.username ?? null,
    },
    incoming,
    outgoing,
    delivery: failure?.kind === 'reset-after-effect' ? 'discard' : 'stream',
    beforeEnd: async () => {
      if (request.service !== '/git-receive-pack' || !token) return;
      await protectDefaultBranch(simulation, allowed);
      await syncAfterPush(simulation, allowed, token.user);
    },
  });
  return { status };
}

/** Git is led to the address with `.git`. */
function redirect({ url, git }: { readonly url: URL; readonly git: GitRequest }): Reply {
  const path = url.pathname.replace(git.service, `.git${git.service}`);
  return {
    status: 301,
    headers: { location: `${url.origin}${path}${url.search}` },
    content: Buffer.alloc(0),
  };
}

async function preparePush(simulation: Simulation, project: Project, user: User): Promise<void> {
  const branches = await readBranches(simulation, project);
  await writePushRules(simulation.state, project, { user, isEmpty: branches.size === 0 });
}

/** A request of git's smart protocol. */
export interface GitRequest extends ServiceRequest {
  /** Path of the project. */
  readonly project: string;
  readonly hasSuffix: boolean;
}

/** Addresses of git, and of the API below its root. */
export const gitAddresses: readonly Address[] = [
  'GET /{group}/{project}/info/refs',
  'POST /{group}/{project}/git-upload-pack',
  'POST /{group}/{project}/git-receive-pack',
  'GET /api/v4/{rest+}',
].map(parseAddress);

/** Recognizes git's addresses; null for anything else. */
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
function authorizeGit(state: State, request: GitRequest, token: Token | null): Project | Reply {
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
  // An archived project is read-only: https://docs.gitlab.com/user/project/working_with_projects/#archive-a-project
  if (push && (project.archived || levelOf(state, project, user) < accessLevels.developer)) {
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
