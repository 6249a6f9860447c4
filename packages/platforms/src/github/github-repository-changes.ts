import { moveCursor } from '../comment-listing.ts';
import type { CallOptions, RepositoryChanges } from '../ports.ts';
import { toThreadName } from '../sources/thread-name.ts';
import { toComment } from './convert.ts';
import type { GitHubSettings } from './github-options.ts';
import {
  askChanges,
  askChangesIfChanged,
  type ChangedComment,
  type ChangesContext,
  type ChangesPage,
  changesPageSize,
  readChanges,
} from './read-changes.ts';

/** As long as a look shows no more, the place to look from stays, so that the next look can be free. */
const fewComments = 30;
/** Milliseconds for which comments may still appear among those that were seen, not only behind them. */
const settlingMs = 120_000;

interface Place {
  readonly since: string | null;
  /** What the last look read; empty where it has to be read first. */
  readonly pages: readonly ChangesPage[];
  /** When a look last showed a change; milliseconds, used as a span only. */
  readonly changedAt: number;
}

/**
 * Comments of all issues and pull requests of one repository, by one list. A look at which nothing is new is one
 * request and free.
 *
 * @see https://docs.github.com/en/rest/issues/comments#list-issue-comments-for-a-repository
 */
export function createGitHubRepositoryChanges(
  context: ChangesContext,
  { now }: Pick<GitHubSettings, 'now'>,
): RepositoryChanges {
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
      const cursor = comments.length <= fewComments ? since : moveCursor(since, comments.map(toComment));
      place = { since: cursor, pages: cursor === since ? pages : [], changedAt: now() };
      return { changes: comments.map((one) => toChange(context, one)), since, unchanged: false };
    },
  };
}

/** Where the list stands before anybody listens: the newest change, a minute back. */
async function findNewest(context: ChangesContext, { signal }: CallOptions): Promise<string | null> {
  const { data } = await askChanges(context, { since: null, newestOnly: true, signal });
  return moveCursor(null, data.map(toComment));
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
    const isFullEnd = page === pages.at(-1) && page.data.length >= changesPageSize;
    const question = { since: page.since, address: page.address, etag: isFullEnd ? null : page.etag, signal };
    const answer = await askChangesIfChanged(context, question);
    if (answer !== null) return page === first ? answer : start();
  }
  return null;
}

/** A comment that was edited while pages were read is on two of them. */
function newestForms(pages: readonly ChangesPage[]): ReadonlyMap<number, ChangedComment> {
  const forms = new Map<number, ChangedComment>();
  for (const comment of pages.flatMap(({ data }) => data)) {
    forms.delete(comment.id);
    forms.set(comment.id, comment);
  }
  return forms;
}

function toChange({ place }: ChangesContext, comment: ChangedComment) {
  const number = Number(/\/issues\/(\d+)$/u.exec(comment.issue_url)?.[1]);
  return { thread: toThreadName({ type: 'github_issue', ...place, number }), comment: toComment(comment) };
}
