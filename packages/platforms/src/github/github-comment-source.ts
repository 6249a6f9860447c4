import * as z from 'zod';
import { inOrder, moveCursor, unchangedListing } from '../listings/comment-listing.ts';
import type { Comment } from '../model.ts';
import type { CallOptions, CommentSource } from '../ports.ts';
import { commentSchema, isHidden, toComment } from './github-answers.ts';
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
  return toComments((await followPages(list, { ...question, first })).readings);
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

/** The conversation without the comments that a maintainer has hidden: see `isHidden`. */
export function toVisibleConversation(context: GitHubThreadContext): CommentList {
  const page = z.array(commentSchema.transform((one) => (isHidden(one) ? null : toComment(one))));
  return { ...toConversation(context), page };
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
      const { pages, readings } = await followPages(list, { since, signal, first });
      const comments = toComments(readings);
      const cursor = moveCursor(since, comments);
      // Only the whole thread and the present cursor are asked for again.
      for (const other of polls.keys()) if (other !== null) polls.delete(other);
      // A comment that was deleted in between is listed once more: the next listing must not be "unchanged".
      if (comments.length > toComments(pages).length) polls.delete(since);
      else polls.set(since, { cursor, pages: pages.map(toPolledPage) });
      return { comments, complete: since === null, cursor, unchanged: false };
    },
  };
}

/** Null when every page is as it was; else a first page to begin a listing with. */
async function findChange(
  list: CommentList,
  { since, signal, earlier }: PageQuestion & { readonly earlier: Poll },
): Promise<CommentPage | null> {
  for (const { address, etag } of earlier.pages) {
    const answer = await askPageIfChanged(list, { since, signal, address, etag });
    if (answer !== null) return address === undefined ? answer : askPage(list, { since, signal });
  }
  return null;
}

function toPolledPage({ address, etag }: CommentPage): Poll['pages'][number] {
  return { address, etag };
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

/** Pages of a list in their order, and all that was read of them, the newest reading last. */
interface PageReading {
  readonly pages: readonly CommentPage[];
  readonly readings: readonly CommentPage[];
}

/**
 * The pages from a first one to the end. A comment that is deleted in between moves the ones behind it one place
 * forward, over the edge of a page; one that is edited comes into a list of changes and moves them back. So pages are
 * read from the last to the first, which is read once more, and all readings count. Without a link to the last page
 * they are read in their order, and all once more backwards.
 */
async function followPages(
  list: CommentList,
  { first, ...question }: PageQuestion & { readonly first: CommentPage },
): Promise<PageReading> {
  if (first.next === null) return { pages: [first], readings: [first] };
  const behind =
    (await readBackwards(list, { ...question, last: first.last })) ??
    (await readForwards(list, { ...question, next: first.next }));
  const again = await askPageIfChanged(list, { ...question, etag: first.etag });
  return {
    pages: [again ?? first, ...behind.pages],
    readings: [first, ...behind.readings, ...(again === null ? [] : [again])],
  };
}

/** Null where a link is missing on the way. */
async function readBackwards(
  list: CommentList,
  { last, ...question }: PageQuestion & { readonly last: string | null },
): Promise<PageReading | null> {
  const pages: CommentPage[] = [];
  let address = last;
  while (address !== null && new URL(address).searchParams.get('page') !== '1') {
    const page: CommentPage = await askPage(list, { ...question, address });
    pages.unshift(page);
    address = page.previous;
  }
  if (address === null) return null;
  const next = pages.at(-1)?.next ?? null;
  // Pages can appear behind the one that was the last.
  const behind = next === null ? noPages : await readForwards(list, { ...question, next });
  return { pages: [...pages, ...behind.pages], readings: [...pages.toReversed(), ...behind.readings] };
}

const noPages: PageReading = { pages: [], readings: [] };

async function readForwards(
  list: CommentList,
  { next, ...question }: PageQuestion & { readonly next: string },
): Promise<PageReading> {
  const pages: CommentPage[] = [];
  for (let address: string | null = next; address !== null; ) {
    const page: CommentPage = await askPage(list, { ...question, address });
    pages.push(page);
    address = page.next;
  }
  const readings = [...pages];
  const newest = pages.slice(-1);
  for (const page of pages.toReversed().slice(1)) {
    const { address, etag } = page;
    const again = await askPageIfChanged(list, { ...question, address, etag });
    if (again !== null) readings.push(again);
    newest.unshift(again ?? page);
  }
  return { pages: newest, readings };
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
