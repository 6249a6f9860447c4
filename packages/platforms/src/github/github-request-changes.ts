import * as z from 'zod';
import type { RepositoryChanges } from '../ports.ts';
import { toThreadName } from '../task-key.ts';
import type { GitHubThreadContext } from './github-context.ts';

/** Milliseconds for which a pull request is called again at each poll: GitHub's times are whole seconds, and lists lag. */
const settlingMs = 60_000;

const pageSchema = z.array(
  z.object({ number: z.number(), updated_at: z.string(), head: z.object({ sha: z.string() }) }),
);

/** Newest form of a pull request that a poll has shown. */
interface Mark {
  readonly text: string;
  readonly seenAt: number;
}

const maxMarks = 1_000;

/** Small, because each pull request is listed with two repositories in full. */
const pageSize = 30;

/**
 * Names the pull requests of a repository that a push, a review, a comment, or their end has changed. A poll at which nothing is new is one
 * request and free. Checks and the base branch move none of their times.
 *
 * @see https://docs.github.com/en/rest/pulls/pulls#list-pull-requests
 */
export function createGitHubRequestChanges(context: RequestContext): RepositoryChanges {
  const { now } = context.settings;
  let marks: ReadonlyMap<number, Mark> = new Map();
  let etag: string | null = null;
  let newest: string | null = null;
  return {
    listChanges: async ({ signal } = {}) => {
      const seenAt = now();
      const isFirst = newest === null;
      const first = await context.client.askIfChanged(toCall(context, { etag, signal }), pageSchema);
      if (first !== null) {
        const pulls = [...first.data];
        // All that has changed since stands before what changed last then.
        for (let { next } = first; next !== null && !isFirst && reaches(pulls, newest); ) {
          const more = await context.client.ask({ ...toCall(context, { signal }), page: next }, pageSchema);
          pulls.push(...more.data);
          next = more.next;
        }
        newest = pulls[0]?.updated_at ?? newest ?? '';
        // At first only what bears the newest time may change once more without another time.
        const fresh = isFirst ? pulls.filter((pull) => pull.updated_at === newest) : pulls;
        const old = isFirst ? pulls : [];
        marks = addMarks(addMarks(marks, fresh, { seenAt }), old, { seenAt: Number.NEGATIVE_INFINITY });
        etag = first.etag;
      }
      const called = isFirst ? [] : [...marks].filter(([, mark]) => seenAt - mark.seenAt <= settlingMs);
      const changes = called.map(([number]) => ({
        thread: toThreadName({ type: 'github_pull_request', ...context.place, number }),
        comment: null,
      }));
      return { changes, since: null, unchanged: !isFirst && changes.length === 0 };
    },
  };
}

type RequestContext = Pick<GitHubThreadContext, 'client' | 'place' | 'repository' | 'settings'>;

type ListedPull = z.output<typeof pageSchema>[number];

/** Tells whether what is further behind may have changed since this time, too. */
function reaches(pulls: readonly ListedPull[], since: string | null): boolean {
  const last = pulls.at(-1);
  return since !== null && since !== '' && last !== undefined && last.updated_at >= since;
}

/** The newest stand last. */
function addMarks(
  marks: ReadonlyMap<number, Mark>,
  pulls: readonly ListedPull[],
  { seenAt }: Pick<Mark, 'seenAt'>,
): ReadonlyMap<number, Mark> {
  const all = new Map(marks);
  for (const { number, updated_at: updatedAt, head } of pulls.toReversed()) {
    const text = `${updatedAt} ${head.sha}`;
    if (all.get(number)?.text === text) continue;
    all.delete(number);
    all.set(number, { text, seenAt });
  }
  return new Map([...all].slice(-maxMarks));
}

function toCall(
  { place, repository }: RequestContext,
  { etag = null, signal }: { readonly etag?: string | null; readonly signal?: AbortSignal | undefined },
) {
  return {
    doing: `list the pull requests of ${repository}`,
    repository,
    permission: 'pull_requests: read',
    route: 'GET /repos/{owner}/{repo}/pulls',
    parameters: { ...place, state: 'all', sort: 'updated', direction: 'desc', per_page: pageSize },
    etag,
    impatient: true,
    signal,
  };
}
