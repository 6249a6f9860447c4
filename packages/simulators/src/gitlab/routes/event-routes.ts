import { paged } from '../http/pagination.ts';
import { authenticated, onThread, type ThreadCall } from '../http/requirements.ts';
import { type Answer, type Route, route } from '../http/route.ts';
import type { ThreadEvent } from '../state/model.ts';
import { showLabel } from '../views/label-view.ts';
import { showUser } from '../views/user-view.ts';

const threads = ['/projects/{id}/issues/{iid}', '/projects/{id}/merge_requests/{iid}'];

/** Changes of labels and states, oldest first. @see https://docs.gitlab.com/api/resource_label_events/ */
export const eventRoutes: readonly Route[] = threads.flatMap((thread) => [
  route(`GET ${thread}/resource_label_events`, authenticated(onThread((call) => listEvents(call, 'label')))),
  route(`GET ${thread}/resource_state_events`, authenticated(onThread((call) => listEvents(call, 'state')))),
]);

function listEvents(call: ThreadCall, kind: ThreadEvent['kind']): Answer {
  const events = call.thread.events.filter((event) => event.kind === kind);
  return paged(call, events, { show: (event) => showEvent(call, event) });
}

function showEvent(call: ThreadCall, event: ThreadEvent) {
  return {
    id: event.id,
    user: showUser(call, event.user),
    created_at: event.createdAt,
    resource_type: call.thread.merge ? 'MergeRequest' : 'Issue',
    resource_id: call.thread.id,
    ...(event.kind === 'label'
      ? { label: showLabel(event.label), action: event.action }
      : { state: event.state }),
  };
}
