import * as z from 'zod';
import type { CallOptions } from '../ports.ts';
import type { GitHubAnswer, GitHubCall } from './github-client.ts';
import type { GitHubThreadContext } from './github-context.ts';
import { commentSchema, type GitHubComment } from './github-schemas.ts';

/** One page of a listing, and where it was read. */
export interface CommentPage extends GitHubAnswer<GitHubComment[]> {
  /** Undefined for the first page, whose address is the route's own. */
  readonly address: string | undefined;
}

/** Which page is asked for. */
export interface PageQuestion extends CallOptions {
  readonly since: string | null;
  readonly address?: string | undefined;
  readonly etag?: string | null;
}

/** GitHub's largest page. */
export const commentPageSize = 100;
const pageSchema = z.array(commentSchema);

/** One page. */
export async function askPage(context: GitHubThreadContext, question: PageQuestion): Promise<CommentPage> {
  return { ...(await context.client.ask(toCall(context, question), pageSchema)), address: question.address };
}

/** One page; null when it is still the one that has this ETag. */
export async function askPageIfChanged(
  context: GitHubThreadContext,
  question: PageQuestion,
): Promise<CommentPage | null> {
  const answer = await context.client.askIfChanged(toCall(context, question), pageSchema);
  return answer === null ? null : { ...answer, address: question.address };
}

/**
 * The pages from a first one to the end, in their order; of one that was read twice, the second form. A comment that is deleted meanwhile moves those behind it
 * one place forward, over the edge of a page; so pages are read from the last to the first, which is looked at once
 * more: what moves forward is met again. Where GitHub does not name the last page they are read as they come and all
 * looked at once more, backwards.
 */
export async function followPages(
  context: GitHubThreadContext,
  { first, ...question }: PageQuestion & { readonly first: CommentPage },
): Promise<CommentPage[]> {
  if (first.next === null) return [first];
  const behind =
    (await readBackwards(context, { ...question, last: first.last })) ??
    (await readForwards(context, { ...question, next: first.next }));
  const again = await askPageIfChanged(context, { ...question, etag: first.etag });
  return [again ?? first, ...behind];
}

/** Null where a link is missing on the way. */
async function readBackwards(
  context: GitHubThreadContext,
  { last, ...question }: PageQuestion & { readonly last: string | null },
): Promise<CommentPage[] | null> {
  const pages: CommentPage[] = [];
  let address = last;
  while (address !== null && new URL(address).searchParams.get('page') !== '1') {
    const page: CommentPage = await askPage(context, { ...question, address });
    pages.unshift(page);
    address = page.previous;
  }
  return address === null ? null : pages;
}

async function readForwards(
  context: GitHubThreadContext,
  { next, ...question }: PageQuestion & { readonly next: string },
): Promise<CommentPage[]> {
  const pages: CommentPage[] = [];
  for (let address: string | null = next; address !== null; ) {
    const page: CommentPage = await askPage(context, { ...question, address });
    pages.push(page);
    address = page.next;
  }
  const settled = pages.slice(-1);
  for (const page of pages.toReversed().slice(1)) {
    const { address, etag } = page;
    settled.unshift((await askPageIfChanged(context, { ...question, address, etag })) ?? page);
  }
  return settled;
}

function toCall(
  { key, place, repository, name }: GitHubThreadContext,
  { since, address, etag = null, signal }: PageQuestion,
): GitHubCall {
  return {
    doing: `list the comments of ${name}`,
    repository,
    permission: 'issues: read',
    route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
    parameters: {
      ...place,
      issue_number: key.number,
      per_page: commentPageSize,
      ...(since === null ? {} : { since }),
    },
    page: address,
    etag,
    impatient: true,
    signal,
  };
}
