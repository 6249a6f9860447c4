import type { LineSubject } from '@agent/platforms';
import { formatReviewBody, formatSuggestions, isGitLabBot, type ReviewState } from '@agent/text';
import * as z from 'zod';
import type { SourceComment } from '../comment.ts';
import type { SourceSettings } from './source-options.ts';
import { isGone } from './source-refusal.ts';
import type { ThreadList } from './thread-lists.ts';

// biome-ignore lint/suspicious/noExplicitAny: Gitbeaker's own overloads say what each option makes of the answer
type Method = (...parameters: any[]) => Promise<unknown>;

interface NotesLike {
  readonly all: Method;
  readonly show: Method;
}

/** The part of Gitbeaker's `Gitlab` that is called. */
export interface GitbeakerLike {
  readonly IssueNotes: NotesLike;
  readonly MergeRequestNotes: NotesLike;
  readonly MergeRequestDiscussions: { readonly all: Method };
  readonly MergeRequestApprovals: { readonly showConfiguration: Method };
  readonly Issues: { readonly show: Method };
  readonly MergeRequests: { readonly show: Method; readonly showReviewers: Method };
  readonly ProjectMembers: { readonly show: Method };
  readonly Users: { readonly showCurrentUser: Method };
}

const text = z.string().nullish();
const line = z.number().nullish();
const flag = z.boolean().nullish();
export const userSchema = z.object({ id: z.number(), username: z.string(), bot: flag });
const pointSchema = z.object({ old_line: line, new_line: line });

const noteSchema = z.object({
  id: z.number(),
  author: userSchema.nullish(),
  body: text,
  created_at: z.string(),
  updated_at: text,
  system: flag,
  internal: flag,
  confidential: flag,
  resolved: flag,
  position: pointSchema
    .extend({
      old_path: text,
      new_path: text,
      base_sha: text,
      head_sha: text,
      line_range: z.object({ start: pointSchema.nullish() }).nullish(),
    })
    .nullish(),
});
type NoteJson = z.infer<typeof noteSchema>;

const discussionSchema = z.object({ id: z.string(), notes: z.array(noteSchema).nullish() });
const approvalsSchema = z.object({
  approved_by: z.array(z.object({ user: userSchema.nullish(), approved_at: text })).nullish(),
});
const reviewersSchema = z.array(z.object({ user: userSchema.nullish(), state: text }));

/** A thread on GitLab, and the way to read it. */
export interface GitLabPlace {
  readonly gitlab: GitbeakerLike;
  readonly projectId: string | number;
  readonly iid: number;
  readonly isMergeRequest: boolean;
  readonly now: () => number;
  readonly ask: <Answer>(
    what: string,
    answer: Promise<unknown>,
    schema: z.ZodType<Answer>,
  ) => Promise<Answer>;
  readonly readText: () => Promise<SourceComment>;
}

const perPage = 100;

/** A page as Gitbeaker expands it. Numbers of headers that are missing are `NaN`. */
function toPageSchema<Item extends z.ZodType>(item: Item) {
  const paginationInfo = z.object({ next: z.unknown(), total: z.unknown(), perPage: z.unknown() });
  return z.object({ data: z.array(item), paginationInfo });
}

/**
 * Reads all pages. GitLab leaves out notes after it has cut a list into pages, so that a short page is not the end, and a gateway may
 * drop the headers that name the next page. Without any such header, an empty page is the end.
 *
 * @see https://gitlab.com/gitlab-org/gitlab/-/blob/master/lib/api/notes.rb
 */
async function readPages<Item>(
  read: (page: object) => Promise<z.output<ReturnType<typeof toPageSchema<z.ZodType<Item>>>>>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let page = 1; ; page += 1) {
    const { data, paginationInfo } = await read({ perPage, page, maxPages: 1, showExpanded: true });
    items.push(...data);
    const { next, total, perPage: stated } = paginationInfo;
    const isCounted = Number.isSafeInteger(total);
    const hasMore =
      Number.isSafeInteger(next) ||
      (isCounted ? Number(total) > perPage * page : data.length === perPage) ||
      (!isCounted && !Number.isSafeInteger(stated) && data.length > 0);
    if (!hasMore) return items;
  }
}

/** The notes of a thread. With lines they are read by discussion, for the same number of requests. */
export function createNotes(
  { gitlab, projectId, iid, isMergeRequest, ask, readText }: GitLabPlace,
  { settings: { includes }, withLines }: { readonly settings: SourceSettings; readonly withLines: boolean },
): ThreadList {
  const notes = isMergeRequest ? gitlab.MergeRequestNotes : gitlab.IssueNotes;
  /** Discussions of notes on lines, which a single note does not name. */
  const discussions = new Map<number, string>();
  const show = (note: NoteJson): SourceComment | null => {
    if (!isPublic(note)) return null;
    const discussion = discussions.get(note.id) ?? '';
    if (note.position != null && withLines) return toLineComment(note, discussion);
    return includes('comments') ? toComment(note) : null;
  };
  const readNotes = async (page: object) => {
    const sorted = { sort: 'asc', orderBy: 'created_at', ...page };
    return ask('The comments', notes.all(projectId, iid, sorted), toPageSchema(noteSchema));
  };
  const readDiscussions = async (page: object) =>
    ask(
      'The discussions',
      gitlab.MergeRequestDiscussions.all(projectId, iid, page),
      toPageSchema(discussionSchema),
    );
  const readAll = async (): Promise<readonly NoteJson[]> => {
    if (!withLines) return readPages(readNotes);
    const found = await readPages(readDiscussions);
    for (const one of found) for (const note of one.notes ?? []) discussions.set(note.id, one.id);
    return found.flatMap((one) => one.notes ?? []);
  };
  return {
    ...{ name: 'conversation', idPrefix: '' },
    read: async () => {
      const comments = (await readAll()).flatMap((note) => show(note) ?? []);
      return { comments, unchanged: false, cursor: null, keep: () => {} };
    },
    getComment: async (id) => {
      try {
        return show(await ask('A comment', notes.show(projectId, iid, Number(id)), noteSchema));
      } catch (error) {
        if (!isGone(error)) throw error;
        // A thread that is hidden from us hides its notes, too.
        await readText();
        return null;
      }
    },
  };
}

/**
 * Verdicts on a merge request. GitLab keeps the present verdict of each account, not a review for each time: a
 * verdict that changes is an edited comment. Without a time from GitLab, a verdict has the time when it was first seen: the time of a
 * reviewer is when the review was requested.
 *
 * @see https://docs.gitlab.com/api/merge_request_approvals/#single-merge-request-approval
 * @see https://docs.gitlab.com/api/merge_requests/#get-single-merge-request-reviewers
 */
export function createReviews({ gitlab, projectId, iid, now, ask }: GitLabPlace): ThreadList {
  let seen: ReadonlyMap<string, SourceComment> = new Map();
  const toSeenReview = (
    user: z.infer<typeof userSchema>,
    state: ReviewState,
    at?: string | null,
  ): SourceComment => {
    const review = toReview(user, { state, at: at ?? new Date(now()).toISOString() });
    const before = at == null ? seen.get(review.id) : undefined;
    return before?.body === review.body ? before : review;
  };
  const readAll = async (): Promise<readonly SourceComment[]> => {
    const asked = { mergerequestIId: iid };
    const approvals = gitlab.MergeRequestApprovals.showConfiguration(projectId, asked);
    const { approved_by: approved } = await ask('The approvals', approvals, approvalsSchema);
    const reviewers = gitlab.MergeRequests.showReviewers(projectId, iid);
    const verdicts = new Map<number, SourceComment>();
    for (const { user, state } of await ask('The reviewers', reviewers, reviewersSchema)) {
      const verdict = reviewerStates[state ?? ''];
      if (user && verdict) verdicts.set(user.id, toSeenReview(user, verdict));
    }
    for (const { user, approved_at: at } of approved ?? [])
      if (user) verdicts.set(user.id, toSeenReview(user, 'approved', at));
    seen = new Map([...verdicts.values()].map((review) => [review.id, review]));
    return [...seen.values()];
  };
  return {
    ...{ name: 'reviews', idPrefix: 'review-' },
    read: async () => ({ comments: await readAll(), unchanged: false, cursor: null, keep: () => {} }),
    getComment: async (id) => (await readAll()).find((review) => review.id === id) ?? null,
  };
}

/** States of a reviewer that say something; an approval is listed as such. */
const reviewerStates: Readonly<Record<string, ReviewState>> = {
  requested_changes: 'changes-requested',
  unapproved: 'dismissed',
};

function toReview(
  user: z.infer<typeof userSchema>,
  { state, at }: { readonly state: ReviewState; readonly at: string },
): SourceComment {
  return {
    id: `review-${user.id}`,
    author: toAuthor(user),
    body: formatReviewBody('', state) ?? '',
    createdAt: at,
    updatedAt: null,
    visibility: 'public',
    subject: { kind: 'review', state, commit: null },
  };
}

/**
 * Tells a note that every reader of the thread sees. Internal notes are left out, because an agent answers in public, as
 * are GitLab's own notes of events.
 *
 * @see https://docs.gitlab.com/user/discussions/#add-an-internal-note
 */
function isPublic({ system, internal, confidential }: NoteJson): boolean {
  return system !== true && internal !== true && confidential !== true;
}

/** Converts an account. */
export function toAuthor(user: z.infer<typeof userSchema> | null | undefined): SourceComment['author'] {
  if (!user) return null;
  return { id: String(user.id), login: user.username, ...(isGitLabBot(user) ? { kind: 'bot' } : {}) };
}

function toComment({ id, author, body, created_at, updated_at }: NoteJson): SourceComment {
  return {
    id: String(id),
    author: toAuthor(author),
    body: body ?? '',
    createdAt: created_at,
    updatedAt: updated_at ?? null,
    visibility: 'public',
  };
}

function toLineComment(note: NoteJson, reviewThread: string): SourceComment {
  const { position, resolved } = note;
  const side = position?.new_line == null && position?.old_line != null ? 'old' : 'new';
  const numberOf = (point: z.infer<typeof pointSchema> | null | undefined) =>
    (side === 'old' ? point?.old_line : point?.new_line) ?? null;
  const lastLine = numberOf(position);
  const subject: LineSubject = {
    kind: 'line',
    path: (side === 'old' ? position?.old_path : position?.new_path) ?? '',
    firstLine: numberOf(position?.line_range?.start) ?? lastLine,
    lastLine,
    side,
    hunk: null,
    commit: (side === 'old' ? position?.base_sha : position?.head_sha) ?? null,
    outdated: false,
    resolved: resolved ?? false,
    reviewThread,
  };
  const { body, ...shown } = toComment(note);
  return { ...shown, body: formatSuggestions(body, subject), subject };
}
