import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Delivery, serveGit } from '../../shared/git/http-backend.ts';
import { isPush, type ServiceRequest } from '../../shared/git/service-request.ts';
import { type Address, parseAddress } from '../../shared/http/address.ts';
import type { Streamed } from '../../shared/http/exchange.ts';
import { type Reply, textReply } from '../../shared/http/reply.ts';
import { syncAfterPush } from '../pulls/sync-pulls.ts';
import type { Simulation } from '../simulation.ts';
import { includesRole, roleOfToken } from '../state/access.ts';
import type { Repository, Token } from '../state/model.ts';
import { findByAnyName, fullName } from '../state/repositories.ts';

export interface GitExchange {
  readonly request: GitRequest;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly token: Token | null;
  readonly delivery: Delivery;
}

/** Serves a git request; a reply is returned where git itself is not even asked. A push brings pull requests up to date. */
export async function handleGit(simulation: Simulation, exchange: GitExchange): Promise<Streamed> {
  const { request, incoming, outgoing, token, delivery } = exchange;
  const allowed = authorizeGit(simulation, request, token);
  if ('status' in allowed) return allowed;
  const path = `/${fullName(allowed)}.git${request.service}`;
  const status = await serveGit(simulation.git, {
    request: {
      ...{ path, query: request.query, login: token?.user.login ?? null },
      variables: toHookVariables(token),
    },
    incoming,
    outgoing,
    delivery,
    beforeEnd: async () => {
      if (request.service === '/git-receive-pack' && token)
        await syncAfterPush(simulation, allowed, token.user);
    },
  });
  return { status };
}

/** Tells the hook what the token may not push. */
function toHookVariables(token: Token | null): Readonly<Record<string, string>> {
  if (token === null || token.permissions.workflows === 'write') return {};
  const isApp = token.kind === 'installation';
  return {
    WORKFLOWS_REFUSED_TO: isApp ? 'GitHub App' : 'Personal Access Token',
    WORKFLOWS_LACKING: isApp ? '`workflows` permission' : '`workflow` scope',
  };
}

/** A request of git's smart protocol. */
export interface GitRequest extends ServiceRequest {
  readonly owner: string;
  readonly name: string;
}

/** Addresses of git and of files beside those of the API. */
export const gitAddresses: readonly Address[] = [
  'GET /{owner}/{repo}/info/refs',
  'POST /{owner}/{repo}/git-upload-pack',
  'POST /{owner}/{repo}/git-receive-pack',
  'GET /api/v3/{rest+}',
  'POST /api/graphql',
  'GET /user-attachments/assets/{id}',
].map(parseAddress);

/** Recognizes git's addresses, with or without `.git`; null for anything else. */
export function parseGitRequest(path: string, query: string): GitRequest | null {
  const match = /^\/([^/]+)\/([^/]+?)(?:\.git)?(\/info\/refs|\/git-upload-pack|\/git-receive-pack)$/.exec(
    path,
  );
  const [, owner = '', name = '', service = ''] = match ?? [];
  return match && owner !== 'repos' ? { owner, name, service, query } : null;
}

/**
 * The repository, or why git gets nothing: 401 without credentials where they are needed, 403 for what they do not
 * allow, 404 for what they must not even know of.
 * @see https://docs.github.com/get-started/git-basics/about-remote-repositories#cloning-with-https-urls
 */
function authorizeGit({ state }: Simulation, request: GitRequest, token: Token | null): Repository | Reply {
  const repository = findByAnyName(state, `${request.owner}/${request.name}`);
  const user = token?.user ?? null;
  const push = isPush(request);
  if (!repository || !roleOfToken(repository, token))
    return token ? textReply(404, 'Repository not found.\n') : askForCredentials();
  if (push && !token) return askForCredentials();
  const contents = token?.permissions.contents ?? 'read';
  if (contents === 'none' && (repository.private || push))
    return textReply(403, 'Write access to repository not granted.\n');
  if (!push) return repository;
  if (!includesRole(roleOfToken(repository, token), 'write')) {
    return textReply(403, `Permission to ${fullName(repository)}.git denied to ${user?.login}.\n`);
  }
  if (contents !== 'write') return textReply(403, 'Write access to repository not granted.\n');
  // https://github.com/sourcegraph/sourcegraph-public-snapshot/issues/36201
  if (repository.archived) return textReply(403, 'This repository was archived so it is read-only.\n');
  return repository;
}

/** 401 that makes git ask its credential helper. */
export function askForCredentials(): Reply {
  const text = 'Invalid username or token. Password authentication is not supported for Git operations.\n';
  return textReply(401, text, { 'www-authenticate': 'Basic realm="GitHub"' });
}
