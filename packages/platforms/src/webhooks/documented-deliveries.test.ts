import type {
  WebhookIssueEventSchema,
  WebhookIssueNoteEventSchema,
  WebhookJobEventSchema,
  WebhookMergeRequestEventSchema,
  WebhookMergeRequestNoteEventSchema,
  WebhookPipelineEventSchema,
} from '@gitbeaker/rest';
import { expect, it } from 'vitest';
import { parseGitLabEvent } from './gitlab-origin.ts';

/**
 * Fields of a delivery by the names and types that gitbeaker has from GitLab's documentation, which publishes no package of examples; the
 * values are our own.
 */
type Documented<Value> = Value extends readonly (infer Item)[]
  ? readonly Documented<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]?: Documented<Value[Key]> }
    : Value;

const project = { id: 5, path_with_namespace: 'acme/shop', web_url: 'https://gitlab.example.org/acme/shop' };
const user = { id: 7, username: 'mika', name: 'Mika' };
const wrote = { author_id: 7, created_at: '2026-01-02 03:04:05 UTC', updated_at: '2026-01-02 03:04:06 UTC' };

const issueNote = {
  ...{ object_kind: 'note', event_type: 'note', user, project, project_id: 5 },
  object_attributes: { ...wrote, id: 41, note: '@agent please', noteable_type: 'Issue', system: false },
  issue: { id: 301, iid: 17, title: 'The total is wrong', state: 'opened', labels: [] },
} satisfies Documented<WebhookIssueNoteEventSchema>;

const lineNote = {
  ...{ object_kind: 'note', event_type: 'note', user, project, project_id: 5 },
  object_attributes: {
    ...{ ...wrote, id: 42, note: 'Why?', noteable_type: 'MergeRequest', system: false },
    ...{ line_code: 'aa_1_1', commit_id: 'f'.repeat(40), discussion_id: 'd1' },
  },
  merge_request: { id: 401, iid: 3, source_branch: 'agent/issue-17', target_branch: 'main' },
} satisfies Documented<WebhookMergeRequestNoteEventSchema>;

const issue = {
  ...{ object_kind: 'issue', event_type: 'issue', user, project },
  object_attributes: { id: 301, iid: 17, title: 'T', description: '@agent', action: 'open', state: 'opened' },
  labels: [{ id: 9, title: 'coding agent', type: 'ProjectLabel' }],
} satisfies Documented<WebhookIssueEventSchema>;

const mergeRequest = {
  ...{ object_kind: 'merge_request', event_type: 'merge_request', user, project },
  object_attributes: { id: 401, iid: 3, action: 'approved', state: 'opened', draft: true },
  labels: [],
} satisfies Documented<WebhookMergeRequestEventSchema>;

const pipeline = {
  ...{ object_kind: 'pipeline', user, project },
  object_attributes: { id: 31, iid: 3, ref: 'agent/issue-17', sha: 'f'.repeat(40), status: 'failed' },
  merge_request: { id: 401, iid: 3, source_branch: 'agent/issue-17', target_branch: 'main', state: 'opened' },
  builds: [{ id: 380, stage: 'test', name: 'test', status: 'failed', allow_failure: false }],
} satisfies Documented<WebhookPipelineEventSchema>;

const job = {
  ...{ object_kind: 'build', user, project, sha: 'f'.repeat(40) },
  ...{ build_id: 380, build_name: 'test', build_stage: 'test', build_status: 'failed' },
} satisfies Documented<WebhookJobEventSchema>;

const request = { type: 'gitlab_merge_request', projectId: '5', mrIid: 3 };
const anything = { key: request, commentId: null, updatedAt: null, deleted: false };

it.each([
  [
    'Note Hook',
    issueNote,
    {
      rings: [
        {
          key: { type: 'gitlab_issue', projectId: '5', issueIid: 17 },
          ...{ commentId: '41', updatedAt: '2026-01-02T03:04:06.000Z', deleted: false },
        },
      ],
      texts: ['@agent please'],
    },
  ],
  [
    'Note Hook',
    { ...lineNote, object_attributes: { ...lineNote.object_attributes, type: 'DiffNote' } },
    { rings: [{ key: request, commentId: 'line-42' }], texts: ['Why?'] },
  ],
  ['Issue Hook', issue, { rings: [], labels: ['coding agent'], texts: ['@agent'] }],
  ['Confidential Issue Hook', issue, { rings: [], labels: ['coding agent'] }],
  ['Merge Request Hook', mergeRequest, { rings: [anything] }],
  ['Pipeline Hook', pipeline, { rings: [anything] }],
])('rings for what GitLab documents as %s %# [NX-193]', (event, payload, told) => {
  expect(parseGitLabEvent(event, payload)).toMatchObject({
    ...{ kind: 'happening', repository: 'acme/shop' },
    ...told,
  });
});

it.each([
  ['Job Hook', job],
  ['Pipeline Hook', { ...pipeline, object_attributes: { ...pipeline.object_attributes, status: 'running' } }],
  ['Pipeline Hook', { ...pipeline, merge_request: null }],
  ['Note Hook', { ...issueNote, object_attributes: { ...issueNote.object_attributes, system: true } }],
  ['Note Hook', { ...issueNote, issue: null }],
  ['Push Hook', { object_kind: 'push', project }],
  ['Tag Push Hook', { object_kind: 'tag_push', project }],
  ['Wiki Page Hook', { object_kind: 'wiki_page', project }],
  ['Deployment Hook', { object_kind: 'deployment', project }],
  ['Release Hook', { object_kind: 'release', project }],
  ['Emoji Hook', { object_kind: 'emoji', project }],
])('makes nothing of what GitLab documents as %s, with a reason %# [NX-193]', (event, payload) => {
  expect(parseGitLabEvent(event, payload)).toMatchObject({
    kind: 'ignored',
    reason: expect.stringMatching(/\w/),
  });
});
