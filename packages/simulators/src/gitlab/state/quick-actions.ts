import { maySetMetadata, mayUpdate } from './access.ts';
import { approve, mayApprove, type Reviewed, submitReview, unapprove } from './approvals.ts';
import { toDraft, toReady } from './draft.ts';
import { editThread, type ThreadEdit } from './edit-thread.ts';
import type { State, Thread, User } from './model.ts';
import { findUser } from './users.ts';

/** Effects of a note's quick actions. */
export interface QuickActions {
  /** The body without the lines that were carried out. */
  readonly body: string;
  /** Actions that were carried out, in words; empty when nothing was. */
  readonly summary: readonly string[];
}

type Action = (
  argument: string,
  context: { readonly state: State; readonly thread: Thread },
) => ThreadEdit | null;

const actions: Readonly<Record<string, Action>> = {
  close: () => ({ state: 'closed' }),
  reopen: () => ({ state: 'opened' }),
  title: (argument) => (argument ? { title: argument } : null),
  label: (argument) => ({ labels: { add: labelNames(argument) } }),
  unlabel: (argument, { thread }) => ({
    labels: { remove: argument ? labelNames(argument) : [...thread.labels.keys()] },
  }),
  assign: (argument, { state, thread }) => ({
    assignees: [...thread.assignees, ...mentioned(state, argument)],
  }),
  unassign: (argument, { state, thread }) => {
    const gone = mentioned(state, argument);
    return { assignees: argument ? thread.assignees.filter((user) => !gone.includes(user)) : [] };
  },
  draft: (_, { thread }) => (thread.merge ? { title: toDraft(thread.title) } : null),
  ready: (_, { thread }) => (thread.merge ? { title: toReady(thread.title) } : null),
  lock: () => ({ discussionLocked: true }),
  unlock: () => ({ discussionLocked: false }),
};

type ReviewAction = (state: State, reviewed: Reviewed, by: User) => boolean;

/** Each says whether it did anything. */
const reviewActions: Readonly<Record<string, ReviewAction>> = {
  approve: (state, reviewed, by) => {
    if (!mayApprove(state, reviewed, by)) return false;
    approve(state, reviewed, { by });
    return true;
  },
  unapprove: (state, reviewed, by) => {
    if (!reviewed.merge.reviews.approvals.has(by)) return false;
    unapprove(state, reviewed, by);
    return true;
  },
  request_changes: (state, reviewed, by) =>
    submitReview(state, reviewed, { by, verdict: 'requested_changes' }),
  submit_review: (state, reviewed, by) => submitReview(state, reviewed, { by, verdict: 'reviewed' }),
};

/**
 * Carries out the lines of a note that begin with a quick action and cuts them out. Lines in code blocks, unknown
 * words and what the author may not do stay text, as on GitLab. The most used ones are known here.
 * @see https://docs.gitlab.com/user/project/quick_actions/
 */
export function runQuickActions(
  state: State,
  thread: Thread,
  note: { readonly body: string; readonly author: User },
): QuickActions {
  const kept: string[] = [];
  const summary: string[] = [];
  let fenced = false;
  for (const line of note.body.split('\n')) {
    if (/^\s*```/.test(line)) fenced = !fenced;
    const did = !fenced && runLine(state, thread, { line, author: note.author });
    if (did) summary.push(did);
    else kept.push(line);
  }
  return summary.length > 0 ? { body: kept.join('\n').trim(), summary } : { body: note.body, summary };
}

function runLine(
  state: State,
  thread: Thread,
  { line, author }: { readonly line: string; readonly author: User },
): string | null {
  const [, name = '', argument = ''] = /^\/([a-z_]+)(?:[ \t]+(.*?))?\s*$/.exec(line) ?? [];
  const review = Object.hasOwn(reviewActions, name) ? reviewActions[name] : undefined;
  const { merge } = thread;
  if (review && merge) return review(state, { thread, merge }, author) ? `Ran /${name}.` : null;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  const edit = action?.(argument, { state, thread });
  if (!edit || !isAllowed(state, thread, { edit, author })) return null;
  editThread(state, thread, { ...edit, by: author });
  return `Ran /${name}.`;
}

function isAllowed(
  state: State,
  thread: Thread,
  { edit, author }: { readonly edit: ThreadEdit; readonly author: User },
): boolean {
  const isMetadata =
    edit.labels !== undefined || edit.assignees !== undefined || edit.discussionLocked !== undefined;
  return isMetadata ? maySetMetadata(state, thread, author) : mayUpdate(state, thread, author);
}

/** `~bug ~"needs work"`. */
function labelNames(argument: string): string[] {
  return [...argument.matchAll(/~?"([^"]+)"|~?([^\s"~]+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
}

function mentioned(state: State, argument: string): User[] {
  return [...argument.matchAll(/@([\w.-]+)/g)].flatMap(
    ([, username = '']) => findUser(state, username) ?? [],
  );
}
