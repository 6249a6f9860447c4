import { formatSuggestions } from '@agent/text';
import * as z from 'zod';
import { inOrder, moveCursor } from '../listings/comment-listing.ts';
import type { Comment, LineSubject } from '../model.ts';
import type { CallOptions } from '../ports.ts';
import type { ProvenSource } from '../review-ports.ts';
import { type GitLabNote, noteSchema, toComment } from './gitlab-answers.ts';
import type { BoundConnection, GitLabCall, PageQuery } from './gitlab-client.ts';
import { isOnLines, listAllNotes, listNotesSince, readWhole } from './gitlab-comment-source.ts';
import { type GitLabThreadContext, toThreadRoute } from './gitlab-context.ts';

const prefix = 'line-';

const refsSchema = z.object({ base_sha: z.string(), start_sha: z.string(), head_sha: z.string() });
const reviewedSchema = z.object({ sha: z.string().nullish(), diff_refs: refsSchema.nullish() });

const diffSchema = z.object({ old_path: z.string(), new_path: z.string(), diff: z.string().nullish() });

/** Files that the newest version of a merge request changes, with their diffs. A diff that is too large is empty. */
type GitLabDiffs = readonly z.output<typeof diffSchema>[];

/** A discussion of a merge request, which is a single note or a thread. */
export const discussionSchema = z.object({ id: z.string(), notes: z.array(noteSchema).nullish() });

/** Commits that the newest version of a merge request compares; null where it has none. */
type DiffRefs = z.output<typeof refsSchema> | null;

/**
 * Polls the notes on lines of a merge request. They come in the same list as all others, which says neither which thread they are part
 * of nor whether their lines have changed since: that is asked where a note is new, was edited, moved or resolved.
 *
 * @see https://docs.gitlab.com/api/discussions/#merge-requests
 */
export function createGitLabReviewLines(context: GitLabThreadContext): ProvenSource {
  const shown = new Map<number, { readonly state: string; readonly comment: Comment }>();
  const toComments = async (notes: readonly GitLabNote[], { signal }: CallOptions): Promise<Comment[]> => {
    if (notes.some((note) => shown.get(note.id)?.state !== stateOf(note))) {
      const threads = await readThreads(context, { impatient: true, signal });
      for (const { note, comment } of threads) shown.set(note.id, { state: stateOf(note), comment });
    }
    // One that is in no thread was deleted meanwhile.
    return notes.flatMap(({ id }) => shown.get(id)?.comment ?? []);
  };
  return {
    listComments: async ({ since, signal }) => {
      const asked = { doing: 'list the comments on lines of', impatient: true, signal };
      if (since === null) shown.clear();
      const listed =
        since === null
          ? await listAllNotes(context, asked)
          : await listNotesSince(context, { ...asked, since });
      const comments = inOrder(await toComments(listed.filter(isWritten), { signal }));
      return { comments, complete: since === null, cursor: moveCursor(since, comments), unchanged: false };
    },
    getComment: async (id, options = {}) => {
      const threads = await readThreads(context, options);
      return threads.find(({ comment }) => comment.id === id)?.comment ?? null;
    },
  };
}

/** Patience of a call: polls have none, because they come again. */
type Patience = CallOptions & Pick<GitLabCall, 'impatient'>;

/** A note of a thread on lines that somebody wrote. */
export interface LineNote {
  readonly note: GitLabNote;
  readonly discussion: string;
  readonly comment: Comment;
}

/** All notes that people wrote on lines, by their threads. */
export async function readThreads(
  context: GitLabThreadContext,
  options: Patience,
): Promise<readonly LineNote[]> {
  const { client, projectId, iid } = context;
  const { impatient = false, signal } = options;
  const refs = (await readReviewed(context, options)).diff_refs ?? null;
  const call = {
    ...toDiscussionCall(context, { doing: 'list the threads of', method: 'GET', signal }),
    impatient,
  };
  const send = (bound: BoundConnection, page: PageQuery) =>
    new bound.gitbeaker.MergeRequestDiscussions(bound).all(projectId, iid, page);
  const listed = await readWhole((page) =>
    client.askPage(page === undefined ? { ...call, send } : { ...call, send, page }, discussionSchema),
  );
  const discussions = [...new Map(listed.map((discussion) => [discussion.id, discussion])).values()];
  const url = await context.findUrl(options);
  const isShown = ({ position }: GitLabNote) => !isOutdated(position, refs);
  const hasPlace = discussions.some(({ notes }) =>
    (notes ?? []).some((note) => isWritten(note) && isShown(note)),
  );
  const diffs = hasPlace ? await listDiffs(context, options) : [];
  return discussions.flatMap((discussion) =>
    (discussion.notes ?? []).filter(isWritten).map((note) => ({
      note,
      discussion: discussion.id,
      comment: toLineComment(note, { url, refs, diffs, discussion: discussion.id }),
    })),
  );
}

/** Reads the head of a merge request and the commits that its newest version compares. */
export function readReviewed(
  context: GitLabThreadContext,
  { impatient = false, signal }: Patience,
): Promise<z.output<typeof reviewedSchema>> {
  const { client, projectId, iid, name, project } = context;
  const call = {
    doing: `read what ${name} proposes`,
    repository: project,
    route: `GET ${toThreadRoute(context)}`,
    impatient,
    signal,
  };
  return client.ask(
    { ...call, send: (bound) => new bound.gitbeaker.MergeRequests(bound).show(projectId, iid) },
    reviewedSchema,
  );
}

/** A call to the discussions of the merge request, without what is sent. */
export function toDiscussionCall(
  context: GitLabThreadContext,
  {
    doing,
    method,
    below = '',
    signal,
  }: {
    readonly doing: string;
    readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
    /** Route below the list, placeholders unfilled. */
    readonly below?: string;
  } & CallOptions,
): Omit<GitLabCall, 'send'> {
  return {
    doing: `${doing} ${context.name}`,
    repository: context.project,
    route: `${method} ${toThreadRoute(context)}/discussions${below}`,
    signal,
  };
}

/** Tells a note on lines that somebody wrote from GitLab's own, and from the conversation. */
export function isWritten(note: GitLabNote): boolean {
  return isOnLines(note) && note.system !== true;
}

/** Id of the comment that a note on lines is. */
export function toLineId({ id }: Pick<GitLabNote, 'id'>): string {
  return `${prefix}${id}`;
}

/** Number of the note that a comment on lines is. */
export function toNoteId(commentId: string): number {
  return Number(commentId.slice(prefix.length));
}

function toLineComment(
  note: GitLabNote,
  {
    url,
    refs,
    diffs,
    discussion,
  }: {
    readonly url: string;
    readonly refs: DiffRefs;
    readonly diffs: GitLabDiffs;
    readonly discussion: string;
  },
): Comment {
  const { position } = note;
  const side = position?.new_line == null && position?.old_line != null ? 'old' : 'new';
  const numberOf = (point: typeof position) => (side === 'old' ? point?.old_line : point?.new_line) ?? null;
  const lastLine = numberOf(position);
  const path = (side === 'old' ? position?.old_path : position?.new_path) ?? position?.old_path ?? '';
  const outdated = isOutdated(position, refs);
  const subject: LineSubject = {
    kind: 'line',
    path,
    firstLine: numberOf(position?.line_range?.start) ?? lastLine,
    lastLine,
    side,
    // The diff of an older version is not read.
    hunk: outdated ? null : findHunk(diffs, { path, side, lastLine }),
    commit: (side === 'old' ? position?.base_sha : position?.head_sha) ?? null,
    outdated,
    resolved: note.resolved ?? false,
    reviewThread: discussion,
  };
  const { body, ...shown } = toComment(note, url);
  return { ...shown, body: formatSuggestions(body, subject), id: toLineId(note), subject };
}

/** A thread whose lines still stand has its place in the newest version. */
function isOutdated(position: GitLabNote['position'], refs: DiffRefs): boolean {
  if (position == null || refs === null) return true;
  return (['base_sha', 'start_sha', 'head_sha'] as const).some((key) => position[key] !== refs[key]);
}

function stateOf({ updated_at: updatedAt, position, resolved }: GitLabNote): string {
  return [updatedAt, position?.head_sha, resolved].join(' ');
}

/** @see https://docs.gitlab.com/api/merge_requests/#list-merge-request-diffs */
function listDiffs(
  context: GitLabThreadContext,
  { impatient = false, signal }: Patience,
): Promise<GitLabDiffs> {
  const { client, projectId, iid, name, project } = context;
  const call = {
    doing: `read the diff of ${name}`,
    repository: project,
    route: `GET ${toThreadRoute(context)}/diffs`,
    impatient,
    signal,
  };
  return client.askAll(
    {
      ...call,
      send: (bound, page) => new bound.gitbeaker.MergeRequests(bound).allDiffs(projectId, iid, page),
    },
    diffSchema,
  );
}

/** Finds the part of a diff that ends with the line of a comment; null where the diff does not show it. */
function findHunk(
  diffs: GitLabDiffs,
  { path, side, lastLine }: Pick<LineSubject, 'path' | 'side' | 'lastLine'>,
): string | null {
  const file = diffs.find((one) => (side === 'old' ? one.old_path : one.new_path) === path);
  if (lastLine === null || file?.diff == null) return null;
  let hunk: string[] = [];
  let numbers = { old: 0, new: 0 };
  for (const line of file.diff.split('\n')) {
    const [, oldStart, newStart] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/u.exec(line) ?? [];
    if (oldStart !== undefined) {
      hunk = [];
      numbers = { old: Number(oldStart) - 1, new: Number(newStart) - 1 };
    } else {
      if (/^[ -]/u.test(line)) numbers.old += 1;
      if (/^[ +]/u.test(line)) numbers.new += 1;
    }
    hunk.push(line);
    const isOnSide = side === 'old' ? /^[ -]/u.test(line) : /^[ +]/u.test(line);
    if (isOnSide && numbers[side] === lastLine) return hunk.join('\n');
  }
  return null;
}
