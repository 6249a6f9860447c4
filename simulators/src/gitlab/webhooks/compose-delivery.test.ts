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

  it('has a key of its own each time', () => {
    const happening = { event: 'thread', reference: '!1', action: 'open' };
    const keys = [1, 2].map(() => compose(happening).headers['idempotency-key']);
    expect(new Set(keys).size).toBe(2);
  });
});
