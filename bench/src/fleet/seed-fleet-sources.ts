import type { Comment, CommentSource, GitHubTaskKey } from '@agent/platforms';
import { createDoorbell } from '@agent/platforms/sources';
import { agentToken } from './fleet-forge.ts';
import type { FleetSources, FleetSourcesOptions } from './fleet-sources.ts';

/** Every task for itself, and everything at every look. A refused look rejects without saying for how long. */
export function createSeedFleetSources({
  forge,
  onRequest,
}: Pick<FleetSourcesOptions, 'forge' | 'onRequest'>): FleetSources {
  const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
  const listPage = async (address: string) => {
    const answer = await fetch(address, { headers: { authorization: `Bearer ${agentToken}` } });
    onRequest({ method: 'GET', route, status: answer.status, counted: true });
    if (!answer.ok) throw new Error(`GitHub answered ${answer.status} to ${address}: ${await answer.text()}`);
    const next = /<([^<>]+)>;\s*rel="next"/u.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
    return { listed: (await answer.json()) as readonly GitHubComment[], next };
  };
  return {
    bell: createDoorbell(),
    listenTo: ({ owner, repo, number }: GitHubTaskKey): CommentSource => ({
      listComments: async () => {
        const comments: Comment[] = [];
        let address: string | null =
          `${forge.url}/repos/${owner}/${repo}/issues/${number}/comments?per_page=100`;
        while (address !== null) {
          const page = await listPage(address);
          comments.push(...page.listed.map(toComment));
          address = page.next;
        }
        return { comments, complete: true, cursor: null, unchanged: false };
      },
    }),
  };
}

interface GitHubComment {
  readonly id: number;
  readonly body: string;
  readonly created_at: string;
}

function toComment({ id, body, created_at }: GitHubComment): Comment {
  return {
    id: String(id),
    author: null,
    body,
    createdAt: created_at,
    updatedAt: null,
    url: null,
    visibility: 'public',
    subject: null,
  };
}
