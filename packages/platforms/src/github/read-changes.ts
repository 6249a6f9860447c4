import * as z from 'zod';
import type { CallOptions } from '../ports.ts';
import type { GitHubAnswer, GitHubCall } from './github-client.ts';
import type { GitHubThreadContext } from './github-context.ts';
import { commentSchema } from './github-schemas.ts';

/** GitHub's largest page. */
export const changesPageSize = 100;

const changedSchema = commentSchema.extend({ issue_url: z.string() });
const pageSchema = z.array(changedSchema);

/** A comment that says which thread it is on. */
export type ChangedComment = z.output<typeof changedSchema>;

/** Parts that asking for a repository's comments needs. */
export type ChangesContext = Pick<GitHubThreadContext, 'client' | 'place' | 'repository'>;

/** One page, and where it was read. */
export interface ChangesPage extends GitHubAnswer<ChangedComment[]> {
  readonly since: string | null;
  /** Undefined for the first page since that time. */
  readonly address: string | undefined;
}

/** Which page is asked for. */
export interface ChangesQuestion extends CallOptions {
  readonly since: string | null;
  readonly address?: string | undefined;
  readonly etag?: string | null;
  /** The one that changed last instead of the list. */
  readonly newestOnly?: boolean;
}

/** One page. */
export async function askChanges(context: ChangesContext, question: ChangesQuestion): Promise<ChangesPage> {
  const answer = await context.client.ask(toCall(context, question), pageSchema);
  return { ...answer, since: question.since, address: question.address };
}

/** One page; null when it is still the one that has this ETag. */
export async function askChangesIfChanged(
  context: ChangesContext,
  question: ChangesQuestion,
): Promise<ChangesPage | null> {
  const answer = await context.client.askIfChanged(toCall(context, question), pageSchema);
  return answer === null ? null : { ...answer, since: question.since, address: question.address };
}

/**
 * The pages from a first one to the end of the list. A comment that is edited meanwhile goes to the end and moves the
 * others over the edges of pages; so the next page begins with the time that the last one ended with, and numbered
 * pages are used only inside one second, where they are looked at once more, from the last to the first.
 */
export async function readChanges(
  context: ChangesContext,
  { first, signal }: { readonly first: ChangesPage } & CallOptions,
): Promise<ChangesPage[]> {
  const pages: ChangesPage[] = [];
  for (let page = first; ; ) {
    const second = await readSecond(context, { first: page, signal });
    pages.push(...second.pages);
    if (second.last.next === null && isEnd(second.last)) return pages;
    page = await askChanges(context, { since: endOf(second.last), signal });
  }
}

async function readSecond(
  context: ChangesContext,
  { first, signal }: { readonly first: ChangesPage } & CallOptions,
): Promise<{ readonly pages: readonly ChangesPage[]; readonly last: ChangesPage }> {
  const { since } = first;
  const read = [first];
  let last = first;
  while (last.next !== null && isWithinOneSecond(last)) {
    last = await askChanges(context, { since, address: last.next, signal });
    read.push(last);
  }
  const pages = [last];
  for (const page of read.toReversed().slice(1)) {
    const { address, etag } = page;
    pages.unshift((await askChangesIfChanged(context, { since, address, etag, signal })) ?? page);
  }
  return { pages, last };
}

/** A full page at the end hides what comes behind it; one more, which is not full, can be asked whether it changed. */
function isEnd(last: ChangesPage): boolean {
  return last.data.length < changesPageSize || isWithinOneSecond(last);
}

/** Tells whether the next page cannot begin with a later time than this one began with. */
function isWithinOneSecond(page: ChangesPage): boolean {
  const end = endOf(page);
  return page.since !== null && (end === null || Date.parse(end) <= Date.parse(page.since));
}

function endOf({ data, since }: ChangesPage): string | null {
  const last = data.at(-1);
  return last === undefined ? since : (last.updated_at ?? last.created_at);
}

function toCall({ place, repository }: ChangesContext, question: ChangesQuestion): GitHubCall {
  const { since, address, etag = null, newestOnly = false, signal } = question;
  return {
    doing: `list the comments of ${repository}`,
    repository,
    permission: 'issues: read',
    route: 'GET /repos/{owner}/{repo}/issues/comments',
    parameters: {
      ...place,
      sort: 'updated',
      direction: newestOnly ? 'desc' : 'asc',
      per_page: newestOnly ? 1 : changesPageSize,
      ...(since === null ? {} : { since }),
    },
    page: address,
    etag,
    impatient: true,
    signal,
  };
}
