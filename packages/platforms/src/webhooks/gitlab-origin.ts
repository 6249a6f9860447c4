import { hash, timingSafeEqual } from 'node:crypto';
import { checkOptions, expected } from '@agent/text/options';
import * as z from 'zod';
import type { TaskKey } from '../task-key.ts';
import {
  payloadId,
  payloadNumber,
  type ReadHeader,
  toCommentRings,
  toThreadRing,
  type WebhookEvent,
  type WebhookOrigin,
} from './webhook-origin.ts';

/** The token is known before the body is read, and an issue and a note may hold a million characters each. */
const maxBodyBytes = 25 * 1024 * 1024;

/**
 * GitLab sends the webhook's token along. It is compared by digests of one length, which tell nothing by the time that
 * it takes.
 *
 * @see https://docs.gitlab.com/user/project/integrations/webhooks/#validate-requests-by-using-a-secret-token
 * @example
 * createWebhookHandler({ origin: createGitLabOrigin({ token }), repositories: ['group/project'], bell: createDoorbell() });
 */
export function createGitLabOrigin(options: { readonly token: string }): WebhookOrigin {
  const expectSecret = { ...expected.text, isSecret: true };
  checkOptions('GitLabOriginOptions', options, { token: expectSecret }, ['token']);
  const { token } = options;
  const wanted = digest(token);
  const knows = (header: ReadHeader) => timingSafeEqual(digest(header('x-gitlab-token') ?? ''), wanted);
  return {
    name: 'gitlab',
    maxBodyBytes,
    refusal: (header) =>
      knows(header)
        ? null
        : 'X-Gitlab-Token does not match the secret. Enter the secret in the settings of the webhook.',
    open: async ({ header, body }) => (knows(header) ? body.toString('utf8') : null),
    describe: (header) => ({
      event: header('x-gitlab-event') ?? null,
      // Several deliveries share the UUID of an event where one of them has led to the others: the key is their own.
      id: header('idempotency-key') ?? header('x-gitlab-event-uuid') ?? null,
    }),
    parse: parseGitLabEvent,
  };
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/**
 * Groups send events of epics and work items that belong to no project, some under the names of issue events. Older
 * servers send the id of a project beside `project`, not in it.
 *
 * @see https://docs.gitlab.com/user/project/integrations/webhook_events/#work-item-events
 * @see https://github.com/gitlab4j/gitlab4j-api/issues/1185
 */
const placeSchema = z.object({
  project: z.object({ id: payloadId.nullish(), path_with_namespace: z.string().nullish() }).nullish(),
  project_id: payloadId.nullish(),
  object_attributes: z
    .object({ project_id: payloadId.nullish(), target_project_id: payloadId.nullish() })
    .nullish(),
});

/** Id and path of the project of an event; null for an event of a group. */
function findProject(payload: unknown): { readonly id: string; readonly path: string } | null {
  const {
    project,
    project_id: beside,
    object_attributes: attributes,
  } = placeSchema.safeParse(payload).data ?? {};
  const id = project?.id ?? beside ?? attributes?.target_project_id ?? attributes?.project_id;
  const path = project?.path_with_namespace;
  return id == null || path == null || path === '' ? null : { id, path };
}

const ofNoProject = { kind: 'ignored', reason: 'this event names no project' } as const;
const thread = z.object({ iid: payloadNumber });
const labels = z.array(z.object({ title: z.string() })).nullish();
const people = z.array(z.unknown()).nullish();

const notePayload = z.object({
  object_attributes: z.object({
    id: payloadId,
    note: z.string().nullish(),
    updated_at: z.string().nullish(),
    action: z.string().nullish(),
    system: z.boolean().nullish(),
    /** `DiffNote` on lines of a merge request. */
    type: z.string().nullish(),
  }),
  issue: thread.nullish(),
  merge_request: thread.nullish(),
});

const pipelinePayload = z.object({
  object_attributes: z.object({ status: z.string() }),
  merge_request: thread.nullish(),
});

const threadPayload = z.object({
  object_kind: z.string().nullish(),
  object_attributes: z.object({
    iid: payloadNumber.nullish(),
    action: z.string().nullish(),
    description: z.string().nullish(),
    /** Head that a push took the place of. */
    oldrev: z.string().nullish(),
  }),
  labels,
  assignees: people,
  changes: z
    .object({
      labels: z.object({ previous: labels, current: labels }).nullish(),
      assignees: z.object({ previous: people, current: people }).nullish(),
      description: z.object({ current: z.string().nullish() }).nullish(),
    })
    .nullish(),
});

/**
 * Reads what GitLab delivered. Confidential issues and internal notes come under names of their own. GitLab does not
 * tell of deleted notes, and before 16.11 not what happened to one.
 *
 * @see https://docs.gitlab.com/user/project/integrations/webhook_events/
 */
export function parseGitLabEvent(name: string, payload: unknown): WebhookEvent {
  const parse = parsers.get(name);
  if (parse === undefined) return { kind: 'ignored', reason: 'this event is not used' };
  const project = findProject(payload);
  if (project !== null) return parse(payload, project);
  const { success, error } = z.object({ object_attributes: z.object({}) }).safeParse(payload);
  return success ? ofNoProject : { kind: 'malformed', reason: z.prettifyError(error) };
}

type Project = NonNullable<ReturnType<typeof findProject>>;

const parsers: ReadonlyMap<string, (payload: unknown, project: Project) => WebhookEvent> = new Map([
  ['Note Hook', parseNote],
  ['Confidential Note Hook', parseNote],
  ['Issue Hook', parseThread],
  ['Confidential Issue Hook', parseThread],
  ['Merge Request Hook', parseThread],
  ['Pipeline Hook', parsePipeline],
]);

function parseNote(payload: unknown, project: Project): WebhookEvent {
  const { success, data, error } = notePayload.safeParse(payload);
  if (!success) return { kind: 'malformed', reason: z.prettifyError(error) };
  const { object_attributes: note, issue, merge_request: mergeRequest } = data;
  if (note.system) return { kind: 'ignored', reason: 'GitLab itself wrote this note' };
  const iid = (mergeRequest ?? issue)?.iid;
  if (iid === undefined) return { kind: 'ignored', reason: 'this note is not on an issue or merge request' };
  const rings = toCommentRings({
    key: toKey(project, { isMergeRequest: mergeRequest != null, iid }),
    commentId: note.type === 'DiffNote' ? `line-${note.id}` : note.id,
    updatedAt: toIsoTime(note.updated_at),
    change: note.action === 'update' ? 'edited' : 'created',
    comment: null,
  });
  return {
    kind: 'happening',
    repository: project.path,
    rings,
    labels: [],
    isAssigned: false,
    texts: [note.note ?? ''],
  };
}

function parseThread(payload: unknown, project: Project): WebhookEvent {
  const { success, data, error } = threadPayload.safeParse(payload);
  if (!success) return { kind: 'malformed', reason: z.prettifyError(error) };
  const { object_attributes: attributes, labels, assignees, changes } = data;
  const { action, description, oldrev, iid } = attributes;
  const isMergeRequest = data.object_kind === 'merge_request';
  const isReviewed = isMergeRequest && (oldrev != null || isVerdict(action));
  const isNamed = iid != null && (isReviewed || canStop(data));
  const rings = isNamed ? [toThreadRing(toKey(project, { isMergeRequest, iid }))] : [];
  const happening = { kind: 'happening', repository: project.path, rings } as const;
  if (action === 'open' || action === 'reopen') {
    const isAssigned = (assignees ?? []).length > 0;
    return { ...happening, labels: titles(labels), isAssigned, texts: [description ?? ''] };
  }
  const before = titles(changes?.labels?.previous);
  const edited = changes?.description?.current;
  return {
    ...happening,
    labels: titles(changes?.labels?.current).filter((title) => !before.includes(title)),
    isAssigned: (changes?.assignees?.current ?? []).length > 0,
    texts: edited ? [edited] : [],
  };
}

/**
 * Rings for the checks of a merge request once its pipeline has ended; what its jobs say meanwhile is no news yet. A pipeline
 * that belongs to none is of no use.
 */
function parsePipeline(payload: unknown, project: Project): WebhookEvent {
  const { success, data, error } = pipelinePayload.safeParse(payload);
  if (!success) return { kind: 'malformed', reason: z.prettifyError(error) };
  const { object_attributes: attributes, merge_request: mergeRequest } = data;
  if (!mergeRequest) return { kind: 'ignored', reason: 'this pipeline does not belong to a merge request' };
  if (!ended.has(attributes.status)) return { kind: 'ignored', reason: 'this pipeline is not finished' };
  const rings = [toThreadRing(toKey(project, { isMergeRequest: true, iid: mergeRequest.iid }))];
  const repository = project.path;
  return { kind: 'happening', repository, rings, labels: [], isAssigned: false, texts: [] };
}

const ended: ReadonlySet<string> = new Set(['success', 'failed', 'canceled', 'skipped', 'manual']);

/** @see https://docs.gitlab.com/user/project/integrations/webhook_events/#merge-request-events */
function isVerdict(action: string | null | undefined): boolean {
  return action != null && /^(?:un)?approv(?:ed|al)$/u.test(action);
}

/** Tells that a thread was closed, or lost a label or an assignee: acts that can stop its run. */
function canStop({ object_attributes: { action }, changes }: z.infer<typeof threadPayload>): boolean {
  const labels = titles(changes?.labels?.current);
  const lostLabel = titles(changes?.labels?.previous).some((title) => !labels.includes(title));
  return action === 'close' || lostLabel || (changes?.assignees?.previous ?? []).length > 0;
}

function toKey(
  { id: projectId }: Project,
  { isMergeRequest, iid }: { readonly isMergeRequest: boolean; readonly iid: number },
): TaskKey {
  return isMergeRequest
    ? { type: 'gitlab_merge_request', projectId, mrIid: iid }
    : { type: 'gitlab_issue', projectId, issueIid: iid };
}

function titles(given: z.infer<typeof labels>): readonly string[] {
  return (given ?? []).map(({ title }) => title);
}

/** GitLab writes `2015-05-17 17:06:40 UTC`; null for what is no time. */
function toIsoTime(text: string | null | undefined): string | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
