import * as z from 'zod';
import { fewComments, moveCursor } from '../listings/comment-listing.ts';
import type { Comment } from '../model.ts';
import type { CallOptions, RepositoryChanges } from '../ports.ts';
import { toThreadName } from '../task-key.ts';
import { commentSchema, toComment } from './github-answers.ts';
import type { GitHubAnswer, GitHubCall } from './github-client.ts';
import type { GitHubThreadContext } from './github-context.ts';
import { lineCommentSchema, toLineComment } from './github-review-answers.ts';

/** Milliseconds for which comments may still appear among those that were seen, not only behind them. */
const settlingMs = 120_000;

interface Place {
  readonly since: string | null;
  /** Pages that the last poll read; empty where they have to be read first. */
  readonly pages: readonly PolledPage[];
  /** When a poll last showed a change; milliseconds, used as a span only. */
  readonly changedAt: number;
}

/** A page as it is asked for again. */
interface PolledPage extends Pick<ChangesPage, 'since' | 'address' | 'etag'> {
  readonly isFull: boolean;
}

/** A list of a repository's comments: the conversations, or the comments on lines. */
export interface ChangesList extends Pick<GitHubCall, 'doing' | 'permission' | 'route'> {
  readonly page: z.ZodType<ChangedComment[]>;
}

/** Comments of all issues and pull requests. @see https://docs.github.com/en/rest/issues/comments#list-issue-comments-for-a-repository */
export const conversationChanges: ChangesList = {
  doing: 'list the comments',
  permission: 'issues: read',
  route: 'GET /repos/{owner}/{repo}/issues/comments',
  page: z.array(
    commentSchema
      .extend({ issue_url: z.string() })
      .transform((one) => ({ comment: toComment(one), number: findNumber(one.issue_url) })),
  ),
};

/** Comments on lines of all pull requests. @see https://docs.github.com/en/rest/pulls/comments#list-review-comments-in-a-repository */
export const lineChanges: ChangesList = {
  doing: 'list the comments on lines',
  permission: 'pull_requests: read',
  route: 'GET /repos/{owner}/{repo}/pulls/comments',
  page: z.array(
    lineCommentSchema.transform((one) => ({
      comment: toLineComment(one),
      number: findNumber(one.pull_request_url ?? ''),
    })),
  ),
};

function findNumber(address: string): number {
  return Number(/\/(?:issues|pulls)\/(\d+)$/u.exec(address)?.[1]);
}

/**
 * Comments of one repository, by one list. A poll at which nothing is new is one request and free.
 */
export function createGitHubRepositoryChanges(
  thread: Pick<GitHubThreadContext, 'client' | 'place' | 'repository' | 'settings'>,
  list: ChangesList,
): RepositoryChanges {
  const context = { ...thread, list };
  const { now } = thread.settings;
  let place: Place | null = null;
  return {
    listChanges: async ({ signal } = {}) => {
      if (place === null) {
        place = { since: await findNewest(context, { signal }), pages: [], changedAt: now() };
        return { changes: [], since: null, unchanged: false };
      }
      const { since } = place;
      const isSettled = now() - place.changedAt > settlingMs;
      const first = await findChange(context, { place, isSettled, signal });
      if (first === null) return { changes: [], since, unchanged: true };
      const pages = await readChanges(context, { first, signal });
      const comments = [...newestForms(pages).values()];
      const cursor = moveCursor(
        since,
        comments.map(({ comment }) => comment),
      );
      place = { since: cursor, pages: cursor === since ? pages.map(toPolledPage) : [], changedAt: now() };
      return { changes: comments.map((one) => toChange(context, one)), since, unchanged: false };
    },
  };
}

/** Finds the place where the list stands before anybody listens, by its newest changes. */
async function findNewest(context: ChangesContext, { signal }: CallOptions): Promise<string | null> {
  const { data } = await askChanges(context, { since: null, newestOnly: true, signal });
  return moveCursor(
    null,
    data.map(({ comment }) => comment),
  );
}

/** Null when nothing changed; else the first page of the list. What is new or edited comes at the list's end. */
async function findChange(
  context: ChangesContext,
  { place, isSettled, signal }: { readonly place: Place; readonly isSettled: boolean } & CallOptions,
): Promise<ChangesPage | null> {
  const { since, pages } = place;
  const start = () => askChanges(context, { since, signal });
  if (pages.length === 0) return start();
  const [first] = pages;
  for (const page of isSettled ? pages.slice(-1) : pages) {
    const isFullEnd = page === pages.at(-1) && page.isFull;
    const question = { since: page.since, address: page.address, etag: isFullEnd ? null : page.etag, signal };
    const answer = await askChangesIfChanged(context, question);
    if (answer !== null) return page === first ? answer : start();
  }
  return null;
}

/** Leaves out what the page shows: the memory of a busy repository would hold it until the next change. */
function toPolledPage({ since, address, etag, data }: ChangesPage): PolledPage {
  return { since, address, etag, isFull: data.length >= changesPageSize };
}

/** A comment that was edited while pages were read is on two of them. */
function newestForms(pages: readonly ChangesPage[]): ReadonlyMap<string, ChangedComment> {
  const forms = new Map<string, ChangedComment>();
  for (const changed of pages.flatMap(({ data }) => data)) {
    const { id } = changed.comment;
    forms.delete(id);
    forms.set(id, changed);
  }
  return forms;
}

function toChange({ place }: ChangesContext, { comment, number }: ChangedComment) {
  return { thread: toThreadName({ type: 'github_issue', ...place, number }), comment };
}

/** GitHub's largest page. */
const changesPageSize = 100;

/** A comment, and the thread that it is on. */
interface ChangedComment {
  readonly comment: Comment;
  readonly number: number;
}

/** Parts that asking for a repository's comments needs. */
interface ChangesContext extends Pick<GitHubThreadContext, 'client' | 'place' | 'repository'> {
  readonly list: ChangesList;
}

/** One page, and where it was read. */
interface ChangesPage extends GitHubAnswer<ChangedComment[]> {
  readonly since: string | null;
  /** Undefined for the first page since that time. */
  readonly address: string | undefined;
}

/** Which page is asked for. */
interface ChangesQuestion extends CallOptions {
  readonly since: string | null;
  readonly address?: string | undefined;
  readonly etag?: string | null;
  /** Those that changed last, as many as a place to poll from is found by, instead of the list. */
  readonly newestOnly?: boolean;
}

/** One page. */
async function askChanges(context: ChangesContext, question: ChangesQuestion): Promise<ChangesPage> {
  const answer = await context.client.ask(toCall(context, question), context.list.page);
  return { ...answer, since: question.since, address: question.address };
}

/** One page; null when it is still the one that has this ETag. */
async function askChangesIfChanged(
  context: ChangesContext,
  question: ChangesQuestion,
): Promise<ChangesPage | null> {
  const answer = await context.client.askIfChanged(toCall(context, question), context.list.page);
  return answer === null ? null : { ...answer, since: question.since, address: question.address };
}

/**
 * The pages from a first one to the end of the list. A comment that is edited meanwhile goes to the end and moves the
 * others over the edges of pages; so the next page begins with the time that the last one ended with, and numbered
 * pages are used only inside one second, where they are looked at once more, from the last to the first.
 */
async function readChanges(
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
  return last === undefined ? since : (last.comment.updatedAt ?? last.comment.createdAt);
}

function toCall({ place, repository, list }: ChangesContext, question: ChangesQuestion): GitHubCall {
  const { since, address, etag = null, newestOnly = false, signal } = question;
  return {
    doing: `${list.doing} of ${repository}`,
    repository,
    permission: list.permission,
    route: list.route,
    parameters: {
      ...place,
      sort: 'updated',
      direction: newestOnly ? 'desc' : 'asc',
      per_page: newestOnly ? fewComments + 1 : changesPageSize,
      ...(since === null ? {} : { since }),
    },
    page: address,
    etag,
    impatient: true,
    signal,
  };
}
