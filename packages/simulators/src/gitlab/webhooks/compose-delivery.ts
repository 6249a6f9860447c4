import { type SimulatedDelivery, toDeliveryId } from '../../shared/webhook-delivery.ts';
import { takeId } from '../state/create-state.ts';
import { noteType } from '../state/discussions.ts';
import type { MergePart, Note, Project, State, Thread, User } from '../state/model.ts';
import { seededNote } from '../state/notes.ts';
import { seededProject } from '../state/projects.ts';
import { seededThread } from '../state/threads.ts';
import { seededUser } from '../state/users.ts';
import { showPosition } from '../views/note-view.ts';
import { type Place, showUser } from '../views/user-view.ts';
import type { SimulatedGitLabHappening } from './happening.ts';
import { showHookLabels, showHookProject, showHookRepository, toHookTime } from './hook-parts.ts';
import { tellJob, tellPipeline } from './tell-ci.ts';

/** Base of the pages, and what the webhook sends along. */
export interface DeliveryOptions {
  readonly web: string;
  readonly token: string;
}

/**
 * What GitLab would post about this now, with the token of the webhook.
 *
 * @see https://docs.gitlab.com/user/project/integrations/webhook_events/
 */
export function composeDelivery(
  state: State,
  happening: SimulatedGitLabHappening,
  { web, token }: DeliveryOptions,
): SimulatedDelivery {
  const project = seededProject(state, happening.project);
  const place = { state, web };
  const { name, payload } = tell(place, project, happening);
  return {
    body: Buffer.from(JSON.stringify(payload)),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'GitLab/simulator',
      'x-gitlab-event': name,
      'x-gitlab-event-uuid': toDeliveryId(takeId(state)),
      'idempotency-key': toDeliveryId(takeId(state)),
      'x-gitlab-instance': web,
      'x-gitlab-token': token,
    },
  };
}

function tell(place: Place, project: Project, happening: SimulatedGitLabHappening) {
  switch (happening.event) {
    case 'note':
      return tellNote(place, seededNote(project, happening.noteId), happening.action);
    case 'thread':
      return tellThread(place, seededThread(project, happening.reference), happening);
    case 'approval': {
      const by = seededUser(place.state, happening.by);
      return tellThread(place, seededThread(project, happening.reference), { action: happening.action, by });
    }
    case 'pipeline':
      return tellPipeline(place, project, happening.sha);
    case 'job':
      return tellJob(place, project, happening);
  }
}

function tellNote(place: Place, note: Note, action: 'create' | 'update') {
  const { thread, internal, discussion } = note;
  const { position, original, resolved } = discussion;
  const isHidden = internal || thread.confidential;
  const type = thread.merge ? 'merge_request' : 'issue';
  return {
    name: isHidden ? 'Confidential Note Hook' : 'Note Hook',
    payload: {
      object_kind: 'note',
      event_type: isHidden ? 'confidential_note' : 'note',
      user: { ...showUser(place, note.author), email: '[REDACTED]' },
      project_id: thread.project.id,
      project: showHookProject(place, thread.project),
      repository: showHookRepository(place, thread.project),
      object_attributes: {
        ...{ attachment: null, commit_id: '', st_diff: null },
        id: note.id,
        note: note.body,
        description: note.body,
        noteable_type: thread.merge ? 'MergeRequest' : 'Issue',
        noteable_id: thread.id,
        author_id: note.author.id,
        project_id: thread.project.id,
        type: noteType(note),
        discussion_id: discussion.id,
        line_code: position?.line.code ?? null,
        position: position && showPosition(position),
        original_position: original && showPosition(original),
        change_position: null,
        resolved_at: resolved && toHookTime(resolved.at),
        resolved_by_id: resolved?.by.id ?? null,
        resolved_by_push: null,
        created_at: toHookTime(note.createdAt),
        updated_at: toHookTime(note.updatedAt),
        system: note.system,
        internal,
        action,
        url: `${place.web}/${thread.project.path}/-/${type}s/${thread.iid}#note_${note.id}`,
      },
      [type]: showHookThread(thread),
    },
  };
}

function tellThread(
  place: Place,
  thread: Thread,
  told: {
    readonly action: string;
    readonly added?: readonly string[];
    readonly before?: string;
    readonly by?: User;
  },
) {
  const { action, added = [], before, by = thread.author } = told;
  const name = thread.merge ? 'Merge Request Hook' : 'Issue Hook';
  const current = showHookLabels(thread);
  const previous = current.filter(({ title }) => !added.includes(title));
  return {
    name: thread.confidential ? 'Confidential Issue Hook' : name,
    payload: {
      object_kind: thread.merge ? 'merge_request' : 'issue',
      event_type: thread.merge ? 'merge_request' : 'issue',
      user: { ...showUser(place, by), email: '[REDACTED]' },
      project: showHookProject(place, thread.project),
      repository: showHookRepository(place, thread.project),
      object_attributes: { ...showHookThread(thread), action, ...(before ? { oldrev: before } : {}) },
      labels: current,
      changes: added.length > 0 ? { labels: { previous, current } } : {},
    },
  };
}

function showHookThread(thread: Thread) {
  const { id, iid, title, description, state, createdAt, updatedAt, author, assignees, merge } = thread;
  return {
    id,
    iid,
    title,
    description,
    state,
    author_id: author.id,
    assignee_id: assignees[0]?.id ?? null,
    milestone_id: null,
    created_at: toHookTime(createdAt),
    updated_at: toHookTime(updatedAt),
    labels: showHookLabels(thread),
    ...(merge ? { target_project_id: thread.project.id, ...showBranches(merge) } : toIssueParts(thread)),
  };
}

function showBranches({ sourceBranch, targetBranch, sourceProjectId, headSha }: MergePart) {
  return {
    source_branch: sourceBranch,
    target_branch: targetBranch,
    source_project_id: sourceProjectId,
    last_commit: headSha === null ? null : { id: headSha },
  };
}

function toIssueParts({ project, assignees, confidential, discussionLocked }: Thread) {
  return {
    project_id: project.id,
    assignee_ids: assignees.map(({ id }) => id),
    confidential,
    discussion_locked: discussionLocked || null,
  };
}
