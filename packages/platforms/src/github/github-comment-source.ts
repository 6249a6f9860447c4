import { inOrder, moveCursor } from '../comment-listing.ts';
import type { CommentListing } from '../model.ts';
import type { CommentSource } from '../ports.ts';
import { toComment } from './convert.ts';
import type { GitHubThreadContext } from './github-context.ts';
import {
  askPage,
  askPageIfChanged,
  type CommentPage,
  commentPageSize,
  followPages,
  type PageQuestion,
} from './list-comment-pages.ts';

/** As long as a listing has no more, its cursor stays, so that its address does and the next look can be free. */
const fewComments = 30;

/** Memory of an earlier look at one address: enough to ask whether anything changed, no bodies. */
interface Look {
  readonly cursor: string | null;
  readonly pages: readonly {
    readonly address: string | undefined;
    readonly etag: string | null;
    readonly full: boolean;
  }[];
}

/**
 * Looks at the conversation of an issue or pull request, by the issue comments API only. A listing since a cursor
 * holds what was created or edited after it; an unchanged one costs nothing of the primary limit. Each source
 * answers "unchanged" relative to its own last look, so a second reader opens the thread again.
 *
 * @see https://docs.github.com/en/rest/issues/comments#list-issue-comments
 */
export function createGitHubCommentSource(context: GitHubThreadContext): CommentSource {
  const looks = new Map<string | null, Look>();
  return {
    listComments: async ({ since, signal }) => {
      const earlier = looks.get(since) ?? null;
      const first =
        earlier === null
          ? await askPage(context, { since, signal })
          : await findChange(context, { since, signal, earlier });
      if (first === null) return unchangedListing(earlier?.cursor ?? since);
      const pages = await followPages(context, { since, signal, first });
      const comments = inOrder(pages.flatMap(({ data }) => data).map(toComment));
      const stays = since !== null && comments.length <= fewComments;
      const cursor = stays ? since : moveCursor(since, comments);
      // Only the whole thread and the present cursor are asked for again.
      for (const other of looks.keys()) if (other !== null) looks.delete(other);
      looks.set(since, { cursor, pages: pages.map(toLookedPage) });
      return { comments, complete: since === null, cursor, unchanged: false };
    },
  };
}

/** Null when every page is as it was; else a first page to begin a listing with. */
async function findChange(
  context: GitHubThreadContext,
  { since, signal, earlier }: PageQuestion & { readonly earlier: Look },
): Promise<CommentPage | null> {
  for (const { address, etag, full } of earlier.pages) {
    const isLast = address === earlier.pages.at(-1)?.address;
    // A full last page stays as it is when a page is added behind it.
    const question = { since, signal, address, etag: isLast && full ? null : etag };
    const answer = await askPageIfChanged(context, question);
    if (answer !== null) return address === undefined ? answer : askPage(context, { since, signal });
  }
  return null;
}

function toLookedPage({ address, etag, data }: CommentPage): Look['pages'][number] {
  return { address, etag, full: data.length >= commentPageSize };
}

function unchangedListing(cursor: string | null): CommentListing {
  return { comments: [], complete: false, cursor, unchanged: true };
}
