import { z } from 'zod';
import { boolean, ids, inputOf, integer, names, time } from '../http/input.ts';
import { paged } from '../http/pagination.ts';
import { viewerOf } from '../http/requirements.ts';
import type { Answer, Call } from '../http/route.ts';
import { maySeeThread } from '../state/access.ts';
import { isDraft } from '../state/draft.ts';
import type { Thread } from '../state/model.ts';

const shared = {
  labels: names.optional(),
  order_by: z
    .enum(['created_at', 'updated_at', 'title', 'priority', 'label_priority', 'popularity', 'merged_at'])
    .default('created_at'),
  sort: z.enum(['asc', 'desc']).default('desc'),
  scope: z.enum(['created_by_me', 'created-by-me', 'assigned_to_me', 'assigned-to-me', 'all']).optional(),
  search: z.string().optional(),
  iids: ids.optional(),
  author_username: z.string().optional(),
  author_id: integer.optional(),
  assignee_username: names.optional(),
  assignee_id: z.union([integer, z.enum(['None', 'Any', 'none', 'any'])]).optional(),
  created_after: time.optional(),
  created_before: time.optional(),
  updated_after: time.optional(),
  updated_before: time.optional(),
};
const filter = z.object({
  ...shared,
  state: z.enum(['opened', 'closed', 'locked', 'merged', 'all']).default('all'),
  confidential: boolean.optional(),
  source_branch: z.string().optional(),
  target_branch: z.string().optional(),
  draft: boolean.optional(),
  wip: z.enum(['yes', 'no']).optional(),
});

type Filter = z.infer<typeof filter>;
type Test = (thread: Thread, filter: Filter, call: Call) => boolean;

/** Conditions for a thread to be listed; what was not asked for holds. */
const tests: readonly Test[] = [
  ({ state }, filter) => filter.state === 'all' || state === filter.state,
  ({ labels }, filter) => matchesLabels(labels, filter.labels),
  ({ iid }, { iids }) => !iids || iids.includes(iid),
  ({ title, description }, { search }) =>
    !search || `${title}\n${description ?? ''}`.toLowerCase().includes(search.toLowerCase()),
  ({ author }, filter) => !filter.author_username || isNamed(author, filter.author_username),
  ({ author }, filter) => filter.author_id === undefined || author.id === filter.author_id,
  ({ assignees }, filter) =>
    (filter.assignee_username ?? []).every((name) => assignees.some((user) => isNamed(user, name))),
  ({ assignees }, filter) => matchesAssignee(assignees, filter.assignee_id),
  ({ createdAt }, filter) => isWithin(createdAt, filter.created_after, filter.created_before),
  ({ updatedAt }, filter) => isWithin(updatedAt, filter.updated_after, filter.updated_before),
  ({ confidential }, filter) => filter.confidential === undefined || confidential === filter.confidential,
  ({ merge }, filter) => filter.source_branch === undefined || merge?.sourceBranch === filter.source_branch,
  ({ merge }, filter) => filter.target_branch === undefined || merge?.targetBranch === filter.target_branch,
  ({ title }, { draft, wip }) => {
    const wanted = draft ?? (wip === undefined ? undefined : wip === 'yes');
    return wanted === undefined || isDraft(title) === wanted;
  },
  (thread, { scope }, call) => isInScope(thread, scope, call),
];

/**
 * Lists those threads that the asker sees and asks for. `labels` are joined by AND; without `scope` the whole list is
 * meant, except on the global list, whose default is what the asker created.
 * @see https://docs.gitlab.com/api/issues/#list-project-issues
 */
export function listThreads(
  call: Call,
  threads: Iterable<Thread>,
  options: { readonly show: (thread: Thread) => unknown; readonly isGlobal?: boolean },
): Answer {
  const parsed = inputOf(call, filter);
  const scope = parsed.scope ?? (options.isGlobal ? 'created_by_me' : 'all');
  const asked = { ...parsed, scope };
  const found = [...threads].filter(
    (thread) =>
      maySeeThread(call.state, thread, call.viewer) && tests.every((test) => test(thread, asked, call)),
  );
  const key = parsed.order_by === 'updated_at' ? 'updatedAt' : 'createdAt';
  const sign = parsed.sort === 'asc' ? 1 : -1;
  const sorted = found.sort((one, other) => sign * (one[key].localeCompare(other[key]) || one.id - other.id));
  return paged(call, sorted, { show: options.show });
}

function matchesLabels(labels: ReadonlyMap<string, unknown>, wanted: readonly string[] | undefined): boolean {
  if (!wanted || wanted.length === 0) return true;
  const [only = ''] = wanted;
  if (wanted.length === 1 && /^none$/i.test(only)) return labels.size === 0;
  if (wanted.length === 1 && /^any$/i.test(only)) return labels.size > 0;
  return wanted.every((name) => labels.has(name));
}

function matchesAssignee(assignees: Thread['assignees'], wanted: Filter['assignee_id']): boolean {
  if (wanted === undefined) return true;
  if (typeof wanted === 'number') return assignees.some(({ id }) => id === wanted);
  return /none/i.test(wanted) === (assignees.length === 0);
}

function isInScope(thread: Thread, scope: Filter['scope'], call: Call): boolean {
  if (scope === undefined || scope === 'all') return true;
  const viewer = viewerOf(call);
  return scope.startsWith('created') ? thread.author === viewer : thread.assignees.includes(viewer);
}

function isNamed({ username }: { readonly username: string }, name: string): boolean {
  return username.toLowerCase() === name.toLowerCase();
}

/** Both ends belong to it. */
function isWithin(text: string, after: number | undefined, before: number | undefined): boolean {
  const at = Date.parse(text);
  return (after === undefined || at >= after) && (before === undefined || at <= before);
}
