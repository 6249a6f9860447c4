import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { project, startTrial, type Trial } from '../trial.ts';
import type { SimulatedGitLabHappening } from './happening.ts';

let trial: Trial;
beforeAll(async () => {
  trial = await startTrial();
  trial.simulator.openIssue({ project, author: 'reporter', title: 'sesame', labels: ['bug'] });
  trial.simulator.openIssue({ project, author: 'reporter', title: 'hidden', confidential: true });
  await trial.simulator.openMergeRequest({
    project,
    author: 'agent',
    title: 'sesame too',
    sourceBranch: 'x',
    files: { x: 'x\n' },
  });
});
afterAll(() => trial.close());

const compose = (happening: object) => {
  const given = { project, ...happening } as SimulatedGitLabHappening;
  const { headers, body } = trial.simulator.composeDelivery(given, 'a token');
  return { headers, payload: JSON.parse(body.toString()) };
};
const note = (reference: '#1' | '#2' | '!1', options: { readonly internal?: boolean } = {}) =>
  trial.simulator.note({ project, reference, author: 'reporter', body: 'Hello', ...options }).id;

const inProject =
  'id name description web_url avatar_url git_ssh_url git_http_url namespace visibility_level path_with_namespace default_branch homepage url ssh_url http_url';
const inLabel = 'id title color project_id created_at updated_at template description type group_id';
const inNote =
  'id note noteable_type author_id created_at updated_at project_id attachment line_code commit_id noteable_id system st_diff action url';

/**
 * Names of fields in the documented examples, without those of estimates, due dates, severity and mergeability, which the simulator
 * does not have.
 *
 * @see https://docs.gitlab.com/user/project/integrations/webhook_events/
 */
const documented = [
  [
    'a comment on an issue',
    { event: 'note', action: 'create' },
    [
      ['', 'object_kind event_type user project_id project repository object_attributes issue'],
      ['user', 'id name username avatar_url email'],
      ['project', inProject],
      ['repository', 'name url description homepage'],
      ['object_attributes', inNote],
      [
        'issue',
        'id title assignee_ids assignee_id author_id project_id created_at updated_at description milestone_id state iid labels',
      ],
      ['issue.labels.0', inLabel],
    ],
  ],
  [
    'a change of labels',
    { event: 'thread', reference: '#1', action: 'update', added: ['bug'] },
    [
      ['', 'object_kind event_type user project repository object_attributes labels changes'],
      ['project', `${inProject} ci_config_path`],
      [
        'object_attributes',
        'id title assignee_ids assignee_id author_id project_id created_at updated_at description milestone_id confidential discussion_locked iid state action labels',
      ],
      ['labels.0', inLabel],
      ['changes.labels.current.0', inLabel],
    ],
  ],
] as const;

describe('a delivery of the simulated GitLab', () => {
  it.each([
    ['#1', 'issue', 'Issue'],
    ['!1', 'merge_request', 'MergeRequest'],
  ] as const)('about a note on %s names the thread, whole seconds and the token', (reference, key, type) => {
    const noteId = note(reference);
    const { headers, payload } = compose({ event: 'note', noteId, action: 'create' });
    expect(headers).toMatchObject({ 'x-gitlab-event': 'Note Hook', 'x-gitlab-token': 'a token' });
    expect(payload).toMatchObject({
      object_kind: 'note',
      project: { id: trial.projectId, path_with_namespace: project },
      object_attributes: {
        id: noteId,
        noteable_type: type,
        action: 'create',
        updated_at: '2024-05-01 00:00:00 UTC',
      },
      [key]: { iid: 1 },
    });
  });

  it.each([
    ['on a confidential issue', '#2', {}],
    ['that is internal', '#1', { internal: true }],
  ] as const)('about a note %s comes under another name', (_what, reference, options) => {
    const noteId = note(reference, options);
    const { headers, payload } = compose({ event: 'note', noteId, action: 'create' });
    expect(headers['x-gitlab-event']).toBe('Confidential Note Hook');
    expect(payload.event_type).toBe('confidential_note');
  });

  it('about a label says which were there before', () => {
    const happening = { event: 'thread', reference: '#1', action: 'update', added: ['bug'] };
    const { headers, payload } = compose(happening);
    expect(headers['x-gitlab-event']).toBe('Issue Hook');
    expect(payload.changes.labels).toMatchObject({ previous: [], current: [{ title: 'bug' }] });
  });

  it.each(documented)('has the fields that the documentation shows for %s', (_, happening, fields) => {
    const id = note('#1');
    const { payload } = compose(happening.event === 'note' ? { ...happening, noteId: id } : happening);
    const lacking = fields.flatMap(([path, names]) => {
      const part = path.split('.').reduce((at, key) => (key === '' ? at : at?.[key]), payload);
      return names.split(' ').flatMap((name) => (part && name in part ? [] : [`${path}.${name}`]));
    });
    expect(lacking).toEqual([]);
  });

  it('has a key of its own each time', () => {
    const happening = { event: 'thread', reference: '!1', action: 'open' };
    const keys = [1, 2].map(() => compose(happening).headers['idempotency-key']);
    expect(new Set(keys).size).toBe(2);
  });
});
