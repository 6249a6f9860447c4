import { type SimulatedDelivery, toDeliveryId } from '../../shared/webhook-delivery.ts';
import { takeId } from '../state/create-state.ts';
import type { Note, Project, State, Thread } from '../state/model.ts';
import { seededNote } from '../state/notes.ts';
import { seededProject } from '../state/projects.ts';
import { seededThread } from '../state/threads.ts';
import { type Place, showUser } from '../views/user-view.ts';
import type { SimulatedGitLabHappening } from './happening.ts';

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
  const { name, payload } =
    happening.event === 'note'
      ? tellNote(place, seededNote(project, happening.noteId), happening.action)
      : tellThread(place, seededThread(project, happening.reference), happening);
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

function tellNote(place: Place, note: Note, action: 'create' | 'update') {
  const { thread, internal } = note;
  const isHidden = internal || thread.confidential;
  const type = thread.merge ? 'merge_request' : 'issue';
  return {
    name: isHidden ? 'Confidential Note Hook' : 'Note Hook',
    payload: {
      object_kind: 'note',
      event_type: isHidden ? 'confidential_note' : 'note',
      user: { ...showUser(place, note.author), email: '[REDACTED]' },
      project_id: thread.project.id,
      project: showProject(place, thread.project),
      object_attributes: {
        id: note.id,
        note: note.body,
        description: note.body,
        noteable_type: thread.merge ? 'MergeRequest' : 'Issue',
        noteable_id: thread.id,
        author_id: note.author.id,
        project_id: thread.project.id,
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
  { action, added = [] }: { readonly action: string; readonly added?: readonly string[] },
) {
  const name = thread.merge ? 'Merge Request Hook' : 'Issue Hook';
  const current = [...thread.labels.keys()].map(toTitle);
  const previous = current.filter(({ title }) => !added.includes(title));
  return {
    name: thread.confidential ? 'Confidential Issue Hook' : name,
    payload: {
      object_kind: thread.merge ? 'merge_request' : 'issue',
      event_type: thread.merge ? 'merge_request' : 'issue',
      user: { ...showUser(place, thread.author), email: '[REDACTED]' },
      project: showProject(place, thread.project),
      object_attributes: { ...showHookThread(thread), action },
      labels: current,
      changes: added.length > 0 ? { labels: { previous, current } } : {},
    },
  };
}

function showHookThread(thread: Thread) {
  const { id, iid, title, description, state, createdAt, updatedAt, author, labels } = thread;
  return {
    id,
    iid,
    title,
    description,
    state,
    author_id: author.id,
    created_at: toHookTime(createdAt),
    updated_at: toHookTime(updatedAt),
    labels: [...labels.keys()].map(toTitle),
  };
}

function showProject({ web }: Place, { id, path, defaultBranch }: Project) {
  return {
    id,
    name: path.split('/').at(-1),
    description: null,
    web_url: `${web}/${path}`,
    git_http_url: `${web}/${path}.git`,
    namespace: path.split('/').at(0),
    path_with_namespace: path,
    default_branch: defaultBranch,
  };
}

const toTitle = (title: string) => ({ title, type: 'ProjectLabel' });

/** Webhooks carry no fractions of a second: `2024-05-01 00:00:00 UTC`. */
function toHookTime(time: string): string {
  return `${time.slice(0, 19).replace('T', ' ')} UTC`;
}
