import { describe, expect, it } from 'vitest';
import { parseGitLabEvent } from './gitlab-origin.ts';

const project = { id: 5, path_with_namespace: 'Acme/Tools/shop' };
const note = (attributes: object = {}, more: object = {}) => ({
  project,
  object_attributes: {
    id: 1241,
    updated_at: '2026-01-02 03:04:05 UTC',
    system: false,
    action: 'create',
    ...attributes,
  },
  issue: { iid: 17 },
  ...more,
});
const ring = {
  key: { type: 'gitlab_issue', projectId: '5', issueIid: 17 },
  commentId: '1241',
  updatedAt: '2026-01-02T03:04:05.000Z',
  comment: null,
  deleted: false,
};

describe('parseGitLabEvent', () => {
  it.each(['Note Hook', 'Confidential Note Hook'])('rings for a note that comes as %s', (event) => {
    expect(parseGitLabEvent(event, note())).toEqual({
      kind: 'happening',
      repository: 'Acme/Tools/shop',
      rings: [ring],
      labels: [],
      isAssigned: false,
      texts: [''],
    });
  });

  it('rings for a note on a merge request by the number that it has there', () => {
    const told = parseGitLabEvent('Note Hook', note({}, { issue: null, merge_request: { iid: 3 } }));
    expect(told).toMatchObject({
      rings: [{ key: { type: 'gitlab_merge_request', projectId: '5', mrIid: 3 } }],
    });
  });

  it('rings for a note on lines by the id that the comment has', () => {
    const told = parseGitLabEvent('Note Hook', note({ type: 'DiffNote' }, { merge_request: { iid: 3 } }));
    expect(told).toMatchObject({ rings: [{ commentId: 'line-1241' }] });
  });

  const reviewRing = {
    key: { type: 'gitlab_merge_request', projectId: '5', mrIid: 3 },
    commentId: null,
    updatedAt: null,
    deleted: false,
    comment: null,
  };
  const change = (attributes: object) => ({
    object_kind: 'merge_request',
    project,
    object_attributes: { iid: 3, ...attributes },
  });
  it.each([
    ['approved', [reviewRing]],
    ['approval', [reviewRing]],
    ['unapproved', [reviewRing]],
    ['unapproval', [reviewRing]],
    ['update', []],
    ['merge', []],
  ])('rings for verdicts on a merge request: %s', (action, rings) => {
    expect(parseGitLabEvent('Merge Request Hook', change({ action }))).toMatchObject({ rings });
  });

  it.each([
    [{ action: 'close' }, {}, true],
    [{ action: 'update' }, { labels: { previous: [{ title: 'x' }], current: [] } }, true],
    [{ action: 'update' }, { assignees: { previous: [{ id: 1 }], current: [] } }, true],
    [{ action: 'update' }, { labels: { previous: [], current: [{ title: 'x' }] } }, false],
    [{ action: 'update' }, { assignees: { previous: [], current: [{ id: 1 }] } }, false],
    [{ action: 'update' }, { title: { previous: 'a', current: 'b' } }, false],
  ])(
    'rings for a thread that was closed, or lost a label or an assignee: %j %j',
    (attributes, changes, isRung) => {
      const issue = { object_kind: 'issue', project, object_attributes: { iid: 17, ...attributes }, changes };
      const key = { type: 'gitlab_issue', projectId: '5', issueIid: 17 };
      expect(parseGitLabEvent('Issue Hook', issue)).toMatchObject({
        rings: isRung ? [{ ...reviewRing, key }] : [],
      });
      expect(parseGitLabEvent('Merge Request Hook', { ...change(attributes), changes })).toMatchObject({
        rings: isRung ? [reviewRing] : [],
      });
    },
  );

  it('rings for a push to a merge request, whose head other checks judge', () => {
    const told = parseGitLabEvent('Merge Request Hook', change({ action: 'update', oldrev: 'e59094b8' }));
    expect(told).toMatchObject({ rings: [reviewRing] });
  });

  const pipeline = (status: string, more: object = { merge_request: { iid: 3 } }) =>
    parseGitLabEvent('Pipeline Hook', {
      object_kind: 'pipeline',
      object_attributes: { id: 31, status, sha: 'bcbb5ec3' },
      project,
      ...more,
    });
  it.each(['success', 'failed', 'canceled', 'skipped', 'manual'])(
    'rings for a pipeline that ended as %s',
    (status) => {
      expect(pipeline(status)).toMatchObject({
        kind: 'happening',
        repository: 'Acme/Tools/shop',
        rings: [reviewRing],
      });
    },
  );

  it.each([
    ['runs', pipeline('running')],
    ['is of no merge request', pipeline('failed', { merge_request: null })],
  ])('makes nothing of a pipeline that %s', (_what, told) => {
    expect(told).toMatchObject({ kind: 'ignored' });
  });

  it('says what is wrong with a pipeline without a state', () => {
    expect(parseGitLabEvent('Pipeline Hook', { project, object_attributes: {} })).toMatchObject({
      kind: 'malformed',
    });
  });

  it('rings twice for an edit, once without a time, because notes have finer times than deliveries', () => {
    const told = parseGitLabEvent('Note Hook', note({ action: 'update' }));
    expect(told).toMatchObject({ rings: [ring, { ...ring, updatedAt: null }] });
  });

  it.each([[{ action: null }], [{ action: undefined }]])('takes a note for new with %j', (attributes) => {
    expect(parseGitLabEvent('Note Hook', note(attributes))).toMatchObject({ rings: [ring] });
  });

  it.each([
    ['2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z'],
    ['2026-01-02 12:04:05 +0900', '2026-01-02T03:04:05.000Z'],
    ['yesterday', null],
    [null, null],
  ])('reads the time %s', (text, updatedAt) => {
    expect(parseGitLabEvent('Note Hook', note({ updated_at: text }))).toMatchObject({
      rings: [{ updatedAt }],
    });
  });

  it('takes ids as numbers and as texts', () => {
    const told = parseGitLabEvent('Note Hook', {
      ...note({ id: '1241' }, { issue: { iid: '17' } }),
      project: { ...project, id: '5' },
    });
    expect(told).toMatchObject({ rings: [ring] });
  });

  it.each([
    ['what GitLab itself notes', 'Note Hook', note({ system: true })],
    ['a note on a commit', 'Note Hook', note({}, { issue: undefined })],
    ['a push', 'Push Hook', {}],
    ['a system hook', 'System Hook', note()],
  ])('makes nothing of %s', (_what, event, payload) => {
    expect(parseGitLabEvent(event, payload)).toMatchObject({ kind: 'ignored' });
  });

  const titled = (...titles: readonly string[]) => titles.map((title) => ({ title }));
  it.each([
    ['Issue Hook', { action: 'open' }, { labels: titled('bug', 'coding agent') }, ['bug', 'coding agent']],
    ['Merge Request Hook', { action: 'reopen' }, { labels: titled('bug') }, ['bug']],
    [
      'Confidential Issue Hook',
      { action: 'update' },
      {
        labels: titled('bug', 'coding agent'),
        changes: { labels: { previous: titled('bug'), current: titled('bug', 'coding agent') } },
      },
      ['coding agent'],
    ],
    ['Issue Hook', { action: 'update' }, { labels: titled('bug'), changes: { title: {} } }, []],
    ['Issue Hook', {}, {}, []],
  ])('names the labels of %s %j that may have made a task', (event, attributes, more, labels) => {
    const told = parseGitLabEvent(event, { project, object_attributes: attributes, ...more });
    expect(told).toMatchObject({ kind: 'happening', rings: [], labels });
  });

  it.each([
    [{ action: 'open', description: '@agent' }, { assignees: [{ id: 1 }] }, true, ['@agent']],
    [{ action: 'reopen' }, {}, false, ['']],
    [{ action: 'update' }, { changes: { assignees: { current: [{ id: 1 }] } } }, true, []],
    [{ action: 'update' }, { changes: { assignees: { current: [] } } }, false, []],
    [
      { action: 'update', description: 'x' },
      { changes: { description: { current: '@agent' } } },
      false,
      ['@agent'],
    ],
    [{ action: 'update', description: '@agent' }, { assignees: [{ id: 1 }], changes: {} }, false, []],
  ])(
    'names what a thread may have said, and whether somebody was assigned: %j %j',
    (attributes, more, isAssigned, texts) => {
      const told = parseGitLabEvent('Issue Hook', { project, object_attributes: attributes, ...more });
      expect(told).toMatchObject({ isAssigned, texts });
    },
  );

  it('names what a note says', () => {
    expect(parseGitLabEvent('Note Hook', note({ note: '@agent' }))).toMatchObject({ texts: ['@agent'] });
  });

  it.each([[null], [{}], [{ project }], [note({ id: {} })]])('says what is wrong with %j', (malformed) => {
    expect(parseGitLabEvent('Note Hook', malformed)).toMatchObject({
      kind: 'malformed',
      reason: expect.stringContaining('✖'),
    });
  });

  it.each([
    ['Issue Hook', { object_kind: 'work_item', object_attributes: { iid: 1, type: 'Epic' } }],
    ['Note Hook', { object_attributes: { id: 3, noteable_type: 'Epic' }, epic: { iid: 1 }, project: null }],
    ['Note Hook', { project_id: 5, object_attributes: { id: 3, noteable_type: 'WorkItem' } }],
    ['Pipeline Hook', { object_attributes: { status: 'failed' } }],
  ])('ignores a %s of no project', (name, payload) => {
    expect(parseGitLabEvent(name, payload)).toMatchObject({ kind: 'ignored' });
  });

  it.each([
    [{ project_id: project.id }, {}],
    [{}, { project_id: project.id }],
  ])('finds the id of a project beside it, as older servers send it', (beside, attributes) => {
    const { id: _, ...plain } = project;
    const told = parseGitLabEvent('Note Hook', note(attributes, { project: plain, ...beside }));
    expect(told).toMatchObject({ kind: 'happening', rings: [{ key: { projectId: String(project.id) } }] });
  });
});
