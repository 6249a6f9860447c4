import type { CommentSource } from '@agent/platforms';
import { createDoorbell } from '@agent/platforms/sources';
import { listAllPages } from '../comments/list-comments-plainly.ts';
import type { SeedComment } from '../comments/seed-detection.ts';
import { agentToken } from './fleet-forge.ts';
import type { FleetSources, FleetSourcesOptions } from './fleet-sources.ts';

/** Every task for itself, and everything at every look. A refused look rejects without saying for how long. */
export function createSeedFleetSources({
  forge,
  onRequest,
}: Pick<FleetSourcesOptions, 'forge' | 'onRequest'>): FleetSources {
  const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
  const counting: typeof globalThis.fetch = async (input, init) => {
    const answer = await fetch(input, init);
    onRequest({ method: 'GET', route, status: answer.status, counted: true });
    return answer;
  };
  return {
    bell: createDoorbell(),
    listenTo: ({ owner, repo, number }): CommentSource => ({
      listComments: async () => {
        const listing = { fetch: counting, baseUrl: forge.url, token: agentToken, number };
        const comments = await listAllPages({ ...listing, repository: `${owner}/${repo}` });
        return { comments: comments.map(toComment), complete: true, cursor: null, unchanged: false };
      },
    }),
  };
}

function toComment({ id, body, created_at }: SeedComment) {
  const visibility = 'public' as const;
  return {
    id: String(id),
    author: null,
    body,
    createdAt: created_at,
    updatedAt: null,
    url: null,
    visibility,
    subject: null,
  };
}
