import type { Thread } from '../state/model.ts';
import { referenceOf } from '../state/threads.ts';
import { type Place, showUser } from './user-view.ts';

/** Page of a thread. */
function threadPage({ web }: Place, thread: Thread): string {
  return `${web}/${thread.project.path}/-/${thread.merge ? 'merge_requests' : 'issues'}/${thread.iid}`;
}

/** Shows what issues and merge requests have in common. */
export function showThread(place: Place, thread: Thread) {
  const { id, iid, project, title, description, state, createdAt, updatedAt, closedAt, closedBy } = thread;
  const assignees = thread.assignees.map((user) => showUser(place, user));
  const votes = (name: string) => [...thread.awards.values()].filter((award) => award.name === name).length;
  return {
    id,
    iid,
    project_id: project.id,
    title,
    description,
    state,
    created_at: createdAt,
    updated_at: updatedAt,
    closed_at: closedAt,
    closed_by: closedBy && showUser(place, closedBy),
    author: showUser(place, thread.author),
    assignees,
    assignee: assignees[0] ?? null,
    labels: [...thread.labels.keys()].sort(),
    milestone: null,
    user_notes_count: [...thread.notes.values()].filter(({ system }) => !system).length,
    upvotes: votes('thumbsup'),
    downvotes: votes('thumbsdown'),
    web_url: threadPage(place, thread),
    references: {
      short: referenceOf(thread),
      relative: referenceOf(thread),
      full: `${project.path}${referenceOf(thread)}`,
    },
    time_stats: {
      time_estimate: 0,
      total_time_spent: 0,
      human_time_estimate: null,
      human_total_time_spent: null,
    },
    discussion_locked: thread.discussionLocked || null,
    task_completion_status: { count: 0, completed_count: 0 },
    imported: false,
    imported_from: 'none',
  };
}
