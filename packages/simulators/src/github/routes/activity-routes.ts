import { paged } from '../http/pagination.ts';
import { onRepository, type RepositoryCall, reads } from '../http/requirements.ts';
import { type Answer, type Route, route } from '../http/route.ts';
import type { Activity } from '../state/model.ts';
import { nodeId } from '../state/node-id.ts';
import type { Vendor } from '../vendor.ts';
import { showAuthor } from '../views/user-view.ts';

/** Routes of a repository's activity: the moves of its branches, newest first. */
export const activityRoutes: readonly Route[] = [
  route(
    'GET /repos/{owner}/{repo}/activity',
    'repos/repos#list-repository-activities',
    onRepository(reads('contents'), listActivity),
  ),
];

function listActivity(call: RepositoryCall): Answer {
  const asked = call.query.get('ref');
  const refs = asked === null ? null : [asked, `refs/heads/${asked}`];
  const { activity } = call.repository;
  const found = activity.filter(({ ref }) => refs === null || refs.includes(ref)).toReversed();
  return paged(call, found, (one) => showActivity(call, one));
}

function showActivity({ urls }: RepositoryCall, one: Activity): Vendor['activity'] {
  const isBranch = /^0+$/.test(one.before);
  return {
    id: one.id,
    node_id: nodeId('PushEvent', one.id),
    before: one.before,
    after: one.after,
    ref: one.ref,
    timestamp: one.timestamp,
    activity_type: isBranch ? 'branch_creation' : /^0+$/.test(one.after) ? 'branch_deletion' : 'push',
    actor: showAuthor(one.actor, urls),
  };
}
