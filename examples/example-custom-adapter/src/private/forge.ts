import type { ChangeRequest, ChangeRequests } from '@agent/platforms';
import type { AdapterThread } from '@agent/platforms/custom';
import type { Requester } from './requester.ts';

interface PullJson {
  readonly number: number;
  readonly html_url: string;
  readonly state: 'open' | 'closed';
  readonly merged_at: string | null;
  readonly draft: boolean;
  readonly title: string;
  readonly body: string | null;
  readonly head: { readonly ref: string; readonly sha: string };
  readonly base: { readonly ref: string };
}

interface RepositoryJson {
  readonly id: number;
  readonly full_name: string;
  readonly default_branch: string;
  readonly private: boolean;
}

/** The server that has the code, as far as a run needs it. */
export interface Forge extends Required<Pick<AdapterThread, 'changeRequests'>> {
  readonly describe: NonNullable<AdapterThread['repository']>['describe'];
}

/** Creates the two roles that a tracker borrows from the server with the code: the repository, and its drafts. */
export function createForge(
  request: Requester,
  { repository, code }: { readonly repository: string; readonly code: string },
): Forge {
  const root = `/repos/${repository}`;
  const [owner] = repository.split('/');
  const find = async (headBranch: string, { state = 'all', signal }: FindOptions) => {
    const query = new URLSearchParams({
      head: `${owner}:${headBranch}`,
      state,
      sort: 'created',
      direction: 'desc',
    });
    const [newest] = await request<readonly PullJson[]>(`${root}/pulls?${query}`, { signal });
    return newest ?? null;
  };
  const changeRequests: ChangeRequests = {
    listBranches: async ({ prefix, signal }) => {
      const path = `${root}/git/matching-refs/heads/${prefix}`;
      const refs = await request<readonly { ref: string; object: { sha: string } }[]>(path, { signal });
      return refs.map(({ ref, object }) => ({ name: ref.replace('refs/heads/', ''), sha: object.sha }));
    },
    findChangeRequest: async ({ headBranch, signal }) => {
      const found = await find(headBranch, { signal });
      return found && toChangeRequest(found);
    },
    ensureDraft: async ({ headBranch, baseBranch, title, body, joinBody, signal }) => {
      const open = await find(headBranch, { state: 'open', signal });
      const joined = joinBody(open?.body ?? null, body);
      if (open !== null && open.body === joined) return toChangeRequest(open);
      const written = await request<PullJson>(
        open === null ? `${root}/pulls` : `${root}/pulls/${open.number}`,
        {
          method: open === null ? 'POST' : 'PATCH',
          body:
            open === null
              ? { title, body: joined, head: headBranch, base: baseBranch, draft: true }
              : { body: joined },
          signal,
        },
      );
      return toChangeRequest(written);
    },
  };
  return {
    changeRequests,
    describe: async ({ signal } = {}) => {
      const found = await request<RepositoryJson>(root, { signal });
      return {
        id: String(found.id),
        path: found.full_name,
        defaultBranch: found.default_branch,
        private: found.private,
        cloneUrl: code,
      };
    },
  };
}

interface FindOptions {
  readonly state?: 'all' | 'open';
  readonly signal?: AbortSignal | undefined;
}

function toChangeRequest(pull: PullJson): ChangeRequest {
  return {
    number: pull.number,
    url: pull.html_url,
    state: pull.merged_at === null ? pull.state : 'merged',
    draft: pull.draft,
    title: pull.title,
    headBranch: pull.head.ref,
    headSha: pull.head.sha,
    baseBranch: pull.base.ref,
    fromFork: false,
  };
}
