import * as z from 'zod';
import { inOrder, moveCursor, unchangedListing } from '../comment-listing.ts';
import type { Comment } from '../model.ts';
import type { CallOptions, CommentSource } from '../ports.ts';
import { commentSchema, toComment } from './github-answers.ts';
import type { GitHubAnswer, GitHubCall } from './github-client.ts';
import type { GitHubThreadContext } from './github-context.ts';

/** A list of comments, in words and in HTTP. */
export interface CommentList
  extends Pick<GitHubThreadContext, 'client' | 'repository'>,
    Pick<GitHubCall, 'doing' | 'permission' | 'route' | 'parameters'> {
  /** True where it can be asked for what changed since a time. */
  readonly hasSince: boolean;
  /** Null for what is listed and says nothing. */
  readonly page: z.ZodType<(Comment | null)[]>;
}

/** Memory of an earlier poll of one address: enough to ask whether anything changed, no bodies. */
interface Poll {
  readonly cursor: string | null;
  readonly pages: readonly {
    readonly address: string | undefined;
    readonly etag: string | null;
    readonly full: boolean;
  }[];
}

/** Options of a reading of the whole thread, or of what changed since. */
export interface ListAllOptions extends CallOptions, Partial<Pick<GitHubCall, 'doing' | 'permission'>> {
  /** Default null: all. */
  readonly since?: string | null | undefined;
}

/** All comments of a list, oldest first. One that stays is never missing, whatever is deleted while pages are read. */
export async function listAllComments(
  list: CommentList,
  { since = null, signal, ...asked }: ListAllOptions,
): Promise<Comment[]> {
  const question = { since, signal, asked: { ...asked, impatient: false } };
  const first = await askPage(list, question);
  return toComments(await followPages(list, { ...question, first }));
}

/**
 * The conversation of an issue or pull request, by the issue comments API only.
 *
 * @see https://docs.github.com/en/rest/issues/comments#list-issue-comments
 */
export function toConversation({ client, repository, place, key, name }: GitHubThreadContext): CommentList {
  return {
    client,
    repository,
    hasSince: true,
    doing: `list the comments of ${name}`,
    permission: 'issues: read',
    route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
    parameters: { ...place, issue_number: key.number },
    page: z.array(commentSchema.transform(toComment)),
  };
}

/**
 * Polls a list of comments. A listing since a cursor holds what was created or edited after it; an unchanged one costs nothing
 * of the primary limit. Each source answers "unchanged" relative to its own last poll, so a second reader opens the thread again.
 */
export function createPolledSource(list: CommentList): CommentSource {
  const polls = new Map<string | null, Poll>();
  return {
    listComments: async ({ since, signal }) => {
      const earlier = polls.get(since) ?? null;
      const first =
        earlier === null
          ? await askPage(list, { since, signal })
          : await findChange(list, { since, signal, earlier });
      if (first === null) return unchangedListing(earlier?.cursor ?? since);
      const pages = await followPages(list, { since, signal, first });
      const comments = toComments(pages);
      const cursor = moveCursor(since, comments);
      // Only the whole thread and the present cursor are asked for again.
      for (const other of polls.keys()) if (other !== null) polls.delete(other);
      polls.set(since, { cursor, pages: pages.map(toPolledPage) });
      return { comments, complete: since === null, cursor, unchanged: false };
    },
  };
}

/** Null when every page is as it was; else a first page to begin a listing with. */
async function findChange(
  list: CommentList,
  { since, signal, earlier }: PageQuestion & { readonly earlier: Poll },
): Promise<CommentPage | null> {
  for (const { address, etag, full } of earlier.pages) {
    const isLast = address === earlier.pages.at(-1)?.address;
    // A full last page stays as it is when a page is added behind it.
    const question = { since, signal, address, etag: isLast && full ? null : etag };
    const answer = await askPageIfChanged(list, question);
    if (answer !== null) return address === undefined ? answer : askPage(list, { since, signal });
  }
  return null;
}

function toPolledPage({ address, etag, data }: CommentPage): Poll['pages'][number] {
  return { address, etag, full: data.length >= commentPageSize };
}

function toComments(pages: readonly CommentPage[]): Comment[] {
  return inOrder(pages.flatMap(({ data }) => data).filter((comment) => comment !== null));
}

/** One page of a listing, and where it was read. */
interface CommentPage extends GitHubAnswer<(Comment | null)[]> {
  /** Undefined for the first page, whose address is the route's own. */
  readonly address: string | undefined;
}

/** Which page is asked for. */
interface PageQuestion extends CallOptions {
  readonly since: string | null;
  readonly address?: string | undefined;
  readonly etag?: string | null;
  /** Manner of asking, where it is not a poll. */
  readonly asked?: Partial<Pick<GitHubCall, 'doing' | 'permission' | 'impatient'>>;
}

/** GitHub's largest page. */
const commentPageSize = 100;

/** One page. */
async function askPage(list: CommentList, question: PageQuestion): Promise<CommentPage> {
  return { ...(await list.client.ask(toCall(list, question), list.page)), address: question.address };
}

/** One page; null when it is still the one that has this ETag. */
async function askPageIfChanged(list: CommentList, question: PageQuestion): Promise<CommentPage | null> {
  const answer = await list.client.askIfChanged(toCall(list, question), list.page);
  return answer === null ? null : { ...answer, address: question.address };
}

/**
 * The pages from a first one to the end, in their order; of one that was read twice, the second form. A comment that is deleted meanwhile moves those behind it
 * one place forward, over the edge of a page; so pages are read from the last to the first, which is looked at once
 * more: what moves forward is met again. Where GitHub does not name the last page they are read as they come and all
 * looked at once more, backwards.
 */
async function followPages(
  list: CommentList,
  { first, ...question }: PageQuestion & { readonly first: CommentPage },
): Promise<CommentPage[]> {
  if (first.next === null) return [first];
  const behind =
    (await readBackwards(list, { ...question, last: first.last })) ??
    (await readForwards(list, { ...question, next: first.next }));
  const again = await askPageIfChanged(list, { ...question, etag: first.etag });
  return [again ?? first, ...behind];
}

/** Null where a link is missing on the way. */
async function readBackwards(
  list: CommentList,
  { last, ...question }: PageQuestion & { readonly last: string | null },
): Promise<CommentPage[] | null> {
  const pages: CommentPage[] = [];
  let address = last;
  while (address !== null && new URL(address).searchParams.get('page') !== '1') {
    const page: CommentPage = await askPage(list, { ...question, address });
    pages.unshift(page);
    address = page.previous;
  }
  return address === null ? null : pages;
}

async function readForwards(
  list: CommentList,
  { next, ...question }: PageQuestion & { readonly next: string },
): Promise<CommentPage[]> {
  const pages: CommentPage[] = [];
  for (let address: string | null = next; address !== null; ) {
    const page: CommentPage = await askPage(list, { ...question, address });
    pages.push(page);
    address = page.next;
  }
  const settled = pages.slice(-1);
  for (const page of pages.toReversed().slice(1)) {
    const { address, etag } = page;
    settled.unshift((await askPageIfChanged(list, { ...question, address, etag })) ?? page);
  }
  return settled;
}

function toCall(
  { client: _, page: __, hasSince, parameters, ...list }: CommentList,
  { since, address, etag = null, signal, asked }: PageQuestion,
): GitHubCall {
  return {
    ...list,
    parameters: {
      ...parameters,
      per_page: commentPageSize,
      ...(since === null || !hasSince ? {} : { since }),
    },
    page: address,
    etag,
    impatient: true,
    ...asked,
    signal,
  };
}
