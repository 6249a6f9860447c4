import type { Side } from '../../shared/git/diff-lines.ts';
import type { SimulatedReference } from '../seeds.ts';
import { approve, type Reviewed, setReviewers, submitReview, unapprove } from '../state/approvals.ts';
import { answerDiscussion, resolveDiscussion } from '../state/discussions.ts';
import type { Discussion, Project, Thread } from '../state/model.ts';
import { addNote, newDiscussion, seededNote } from '../state/notes.ts';
import { seededProject } from '../state/projects.ts';
import { seededThread } from '../state/threads.ts';
import { seededUser } from '../state/users.ts';
import type { World } from '../world.ts';
import { isSame, placeLine } from './place-position.ts';

/** Somebody writes a note on a line of a merge request. */
export interface SimulatedLineNoteSeed {
  readonly project: string;
  readonly reference: SimulatedReference;
  readonly author: string;
  readonly body: string;
  readonly path: string;
  readonly line: number;
  readonly startLine?: number;
  /** Default: `RIGHT`, as it is now. */
  readonly side?: Side;
}

/** Somebody answers a note. */
export interface SimulatedNoteReplySeed {
  readonly project: string;
  /** Id of any note of the thread. */
  readonly to: number;
  readonly author: string;
  readonly body: string;
}

/** A thread on lines of a diff as it stands now. */
export interface SimulatedLineThread {
  readonly id: string;
  readonly path: string;
  /** Line of the newest version; null once it is outdated. */
  readonly line: number | null;
  readonly isOutdated: boolean;
  /** Username; null while it is not resolved. */
  readonly resolvedBy: string | null;
  /** Oldest first, without GitLab's own. */
  readonly notes: readonly { readonly id: number; readonly author: string; readonly body: string }[];
}

type OnMergeRequest = (project: string, reference: SimulatedReference, by: string) => void;

/** People's doings around reviews, through the functions that the wire uses. `project` is the path, or the id as text. */
export interface SimulatedGitLabReviews {
  /** Opens a thread on a line; returns the id of its note. */
  readonly comment: (note: SimulatedLineNoteSeed) => Promise<number>;
  /** Returns the id of the answer. */
  readonly reply: (reply: SimulatedNoteReplySeed) => number;
  /** Resolves the thread of this note, or opens it again; as `by`. */
  readonly resolve: (
    project: string,
    id: number,
    resolution: { readonly by: string; readonly resolved?: boolean },
  ) => void;
  readonly approve: OnMergeRequest;
  readonly unapprove: OnMergeRequest;
  /** Makes somebody the reviewer, who then requests changes. */
  readonly requestChanges: OnMergeRequest;
  /** Usernames of the reviewers. */
  readonly reviewers: (project: string, reference: SimulatedReference) => readonly string[];
  readonly removeReviewers: (project: string, reference: SimulatedReference) => void;
  /** Threads on lines of a merge request, oldest first. */
  readonly threads: (project: string, reference: SimulatedReference) => readonly SimulatedLineThread[];
}

/** Does what reviewers do. */
export function createReviewControls(world: World): SimulatedGitLabReviews {
  const { state } = world;
  const find = (project: string, reference: string) => reviewedOf(seededProject(state, project), reference);
  return {
    comment: async ({ project, reference, author, body, ...place }) => {
      const { thread, merge } = find(project, reference);
      const position = await placeLine(world, { project: thread.project, merge }, place);
      const discussion = newDiscussion(state, 'diff', position);
      return addNote(state, thread, { author: seededUser(state, author), body, discussion }).id;
    },
    reply: ({ project, to, author, body }) => {
      const { thread, discussion } = seededNote(seededProject(state, project), to);
      return answerDiscussion(state, thread, { discussion, author: seededUser(state, author), body }).id;
    },
    resolve: (project, id, { by, resolved = true }) => {
      const { thread, discussion } = seededNote(seededProject(state, project), id);
      resolveDiscussion(state, thread, { discussion, by: seededUser(state, by), resolved });
    },
    approve: (project, reference, by) =>
      approve(state, find(project, reference), { by: seededUser(state, by) }),
    unapprove: (project, reference, by) => unapprove(state, find(project, reference), seededUser(state, by)),
    requestChanges: (project, reference, username) => {
      const reviewed = find(project, reference);
      const by = seededUser(state, username);
      const { reviewers } = reviewed.merge.reviews;
      if (!reviewers.has(by)) setReviewers(state, reviewed, [by, ...reviewers.keys()]);
      submitReview(state, reviewed, { by, verdict: 'requested_changes' });
    },
    reviewers: (project, reference) =>
      [...find(project, reference).merge.reviews.reviewers.keys()].map(({ username }) => username),
    removeReviewers: (project, reference) => setReviewers(state, find(project, reference), []),
    threads: (project, reference) => {
      const reviewed = find(project, reference);
      const threads = [...reviewed.thread.discussions.values()].filter(({ kind }) => kind === 'diff');
      return threads.map((discussion) => summarize(reviewed, discussion));
    },
  };
}

function reviewedOf(project: Project, reference: string): Reviewed {
  const thread: Thread = seededThread(project, reference);
  if (!thread.merge) throw new Error(`${reference} is an issue: only a merge request can be reviewed.`);
  return { thread, merge: thread.merge };
}

function summarize({ merge }: Reviewed, discussion: Discussion): SimulatedLineThread {
  const { id, position, resolved, notes } = discussion;
  const refs = merge.versions.at(-1)?.refs;
  const isOutdated = !position || !refs || !isSame(position.refs, refs);
  return {
    id,
    path: position?.newPath ?? '',
    line: isOutdated ? null : (position.line.newLine ?? position.line.oldLine),
    isOutdated,
    resolvedBy: resolved?.by.username ?? null,
    notes: notes
      .filter(({ system }) => !system)
      .map(({ id: noteId, author, body }) => ({ id: noteId, author: author.username, body })),
  };
}
