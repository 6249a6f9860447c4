import type { IssueSchema } from '@gitbeaker/core';
import type { Thread } from '../state/model.ts';
import type { Vendor } from '../vendor.ts';
import { showThread } from './thread-view.ts';
import type { Place } from './user-view.ts';

type ShownIssue = Vendor<
  IssueSchema,
  ReturnType<typeof showThread> & {
    readonly due_date: null;
    readonly moved_to_id: null;
    readonly service_desk_reply_to: null;
    readonly issue_type: 'issue';
    readonly severity: 'UNKNOWN';
  },
  'task_status' | 'subscribed' | 'health_status' | 'weight' | 'epic'
>;

/** An issue. @see https://docs.gitlab.com/api/issues/ */
export function showIssue(place: Place, thread: Thread): ShownIssue {
  const project = `${place.web}/api/v4/projects/${thread.project.id}`;
  const self = `${project}/issues/${thread.iid}`;
  return {
    ...showThread(place, thread),
    type: 'ISSUE',
    issue_type: 'issue',
    merge_requests_count: 0,
    due_date: null,
    moved_to_id: null,
    service_desk_reply_to: null,
    severity: 'UNKNOWN',
    confidential: thread.confidential,
    has_tasks: false,
    _links: { self, notes: `${self}/notes`, award_emoji: `${self}/award_emoji`, project },
  };
}
