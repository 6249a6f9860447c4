import { serveGit } from '../../shared/git/http-backend.ts';
import { isPush } from '../../shared/git/service-request.ts';
import type { Exchange, Streamed } from '../../shared/http/exchange.ts';
import type { Reply } from '../../shared/http/reply.ts';
import { protectDefaultBranch } from '../add-project.ts';
import type { SimulatedGitLabFailure } from '../gitlab-simulator.ts';
import { readBranches } from '../merge-requests/branches.ts';
import { syncAfterPush } from '../merge-requests/sync-merge-requests.ts';
import type { Simulation } from '../simulation.ts';
import type { Project, Token, User } from '../state/model.ts';
import { authorizeGit, type GitRequest } from './git-request.ts';
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
