import * as z from 'zod';
import { inOrder, moveCursor } from '../comment-listing.ts';
import type { CommentListing } from '../model.ts';
import type { CallOptions, CommentSource } from '../ports.ts';
import { toComment } from './convert.ts';
import type { GitHubAnswer, GitHubCall } from './github-client.ts';
import type { GitHubThreadContext } from './github-context.ts';
import { commentSchema, type GitHubComment } from './github-schemas.ts';

const pageSize = 100;
const pageSchema = z.array(commentSchema);
type Page = GitHubAnswer<GitHubComment[]>;

/** What an earlier look at one address left behind: enough to ask whether anything changed, no bodies. */
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
      const changed =
        earlier === null
          ? await askPage(context, { since, signal })
          : await findChange(context, { since, signal, earlier });
      if (changed === null) return unchangedListing(earlier?.cursor ?? since);
      const pages = await followPages(context, { since, signal, first: changed });
      const comments = inOrder(pages.flatMap(({ data }) => data).map(toComment));
      const cursor = moveCursor(since, comments);
      // Only the whole thread and the present cursor are asked for again.
      for (const other of looks.keys()) if (other !== null) looks.delete(other);
      looks.set(since, { cursor, pages: pages.map(toLookedPage) });
      return { comments, complete: since === null, cursor, unchanged: false };
    },
  };
}

interface Addressed extends Page {
  readonly address: string | undefined;
}

type Question = CallOptions & {
  readonly since: string | null;
  readonly address?: string | undefined;
  readonly etag?: string | null;
};

async function askPage(context: GitHubThreadContext, question: Question): Promise<Addressed> {
  return { ...(await context.client.ask(toCall(context, question), pageSchema)), address: question.address };
}

/** Null when every page is as it was; else a first page to begin a listing with. */
async function findChange(
  context: GitHubThreadContext,
  { since, signal, earlier }: Question & { readonly earlier: Look },
): Promise<Addressed | null> {
  for (const { address, etag, full } of earlier.pages) {
    const isLast = address === earlier.pages.at(-1)?.address;
    // A full last page stays as it is when a page is added behind it.
    const question = { since, signal, address, etag: isLast && full ? null : etag };
    const answer = await context.client.askIfChanged(toCall(context, question), pageSchema);
    if (answer !== null)
      return address === undefined ? { ...answer, address } : askPage(context, { since, signal });
  }
  return null;
}

async function followPages(
  context: GitHubThreadContext,
  { since, signal, first }: Question & { readonly first: Addressed },
): Promise<Addressed[]> {
  const pages = [first];
  for (let address = first.next; address !== null; ) {
    const page: Addressed = await askPage(context, { since, signal, address });
    pages.push(page);
    address = page.next;
  }
  return pages;
}

function toCall({ key, place, repository, name }: GitHubThreadContext, question: Question): GitHubCall {
  const { since, address, etag = null, signal } = question;
  return {
    doing: `list the comments of ${name}`,
    repository,
    permission: 'issues: read',
    route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
    parameters: {
      ...place,
      issue_number: key.number,
      per_page: pageSize,
      ...(since === null ? {} : { since }),
    },
    page: address,
    etag,
    impatient: true,
    signal,
  };
}

function toLookedPage({ address, etag, data }: Addressed): Look['pages'][number] {
  return { address, etag, full: data.length >= pageSize };
}

function unchangedListing(cursor: string | null): CommentListing {
  return { comments: [], complete: false, cursor, unchanged: true };
}
