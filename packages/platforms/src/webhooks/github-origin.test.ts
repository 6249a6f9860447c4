import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { parseGitHubEvent } from './github-origin.ts';

type Payload = Readonly<Record<string, unknown>>;
// As data: the package's own entry starts intercepting HTTP.
const recorded: readonly { readonly name: string; readonly examples: readonly Payload[] }[] = createRequire(
  import.meta.url,
)('@octokit/webhooks-examples');

const examples = (event: string) => recorded.find(({ name }) => name === event)?.examples ?? [];
const key = { type: 'github_issue', owner: 'acme', repo: 'shop', number: 7 };
const payload = (action: string, more: object = {}) => ({
  action,
  repository: { full_name: 'acme/shop' },
  issue: { number: 7, labels: [{ name: 'bug' }, { name: 'coding agent' }] },
  comment: { id: 41, updated_at: '2026-01-02T03:04:05Z' },
  ...more,
});
const ring = { key, commentId: '41', updatedAt: '2026-01-02T03:04:05Z', deleted: false, comment: null };

describe('parseGitHubEvent', () => {
  it('understands every recorded delivery, whatever it is about', () => {
    const kinds = recorded.flatMap(({ name, examples }) =>
      examples.map((example) => parseGitHubEvent(name, example).kind),
    );
    expect(kinds.length).toBeGreaterThan(200);
    expect(kinds).not.toContain('malformed');
  });

  it('rings for each recorded comment by its thread, its id and its time', () => {
    const comments = examples('issue_comment');
    expect(comments.length).toBeGreaterThan(5);
    for (const example of comments) {
      const { comment, issue, repository } = example as {
        comment: { id: number; updated_at: string };
        issue: { number: number };
        repository: { full_name: string };
      };
      const told = parseGitHubEvent('issue_comment', example);
      const [owner, repo] = repository.full_name.split('/');
      expect(told).toMatchObject({
        kind: 'happening',
        repository: repository.full_name,
        rings: [
          { key: { type: 'github_issue', owner, repo, number: issue.number }, commentId: String(comment.id) },
          ...(example.action === 'edited' ? [{ updatedAt: null }] : []),
        ],
      });
    }
  });

  it.each([
    ['created', [ring]],
    ['edited', [ring, { ...ring, updatedAt: null }]],
    ['deleted', [{ ...ring, updatedAt: null, deleted: true }]],
  ])('rings for a comment that was %s', (action, rings) => {
    expect(parseGitHubEvent('issue_comment', payload(action))).toMatchObject({ rings, labels: [] });
  });

  it('carries the comment itself, but not one that is gone', () => {
    const bodies = examples('issue_comment').map((example) => {
      const told = parseGitHubEvent('issue_comment', example);
      const carried = told.kind === 'happening' ? told.rings.map(({ comment }) => comment?.body ?? null) : [];
      const { body } = example.comment as { readonly body: string };
      return [example.action, carried.every((one) => one === (example.action === 'deleted' ? null : body))];
    });
    expect(bodies.every(([, isRight]) => isRight)).toBe(true);
    expect(new Set(bodies.map(([action]) => action))).toEqual(new Set(['created', 'edited', 'deleted']));
  });

  it('rings without the comment where the payload shows too little of it', () => {
    expect(parseGitHubEvent('issue_comment', payload('created'))).toMatchObject({
      rings: [{ comment: null }],
    });
  });

  it('takes ids as numbers and as texts', () => {
    const comment = { id: '41', updated_at: '2026-01-02T03:04:05Z' };
    const told = parseGitHubEvent('issue_comment', payload('created', { comment, issue: { number: '7' } }));
    expect(told).toMatchObject({ rings: [ring] });
  });

  it.each([
    ['issues', 'labeled', { label: { name: 'Coding Agent' } }, ['Coding Agent']],
    ['issues', 'opened', {}, ['bug', 'coding agent']],
    ['pull_request', 'reopened', { issue: null, pull_request: { labels: [{ name: 'x' }] } }, ['x']],
    ['issues', 'labeled', { label: null }, []],
  ])('names the labels of %s %s that may have made a task', (event, action, more, labels) => {
    expect(parseGitHubEvent(event, payload(action, more))).toMatchObject({ rings: [], labels });
  });

  it.each([
    ['issue_comment', 'created', { comment: { id: 41, body: '@agent' } }, { texts: ['@agent'] }],
    ['issue_comment', 'edited', { comment: { id: 41, body: '@agent' } }, { texts: ['@agent'] }],
    ['issue_comment', 'deleted', { comment: { id: 41, body: '@agent' } }, { texts: [] }],
    ['issues', 'opened', { issue: { body: '@agent' } }, { texts: ['@agent'], isAssigned: false }],
    ['issues', 'edited', { issue: { body: '@agent' } }, { texts: ['@agent'], labels: [] }],
    ['pull_request', 'assigned', { pull_request: {} }, { isAssigned: true, texts: [] }],
    ['issues', 'reopened', { issue: { assignees: [{ id: 1 }] } }, { isAssigned: true }],
    ['issues', 'labeled', { issue: { body: '@agent' } }, { isAssigned: false, texts: [] }],
  ])('names what %s %s may have said, and whether somebody was assigned %#', (event, action, more, named) => {
    expect(parseGitHubEvent(event, payload(action, more))).toMatchObject(named);
  });

  it.each(['closed', 'unlabeled', 'unassigned', 'deleted'])(
    'rings for a thread that was %s, which can stop its run',
    (action) => {
      const ring = { commentId: null, updatedAt: null, deleted: false };
      const told = { kind: 'happening', repository: 'acme/shop', labels: [], isAssigned: false, texts: [] };
      expect(parseGitHubEvent('issues', payload(action))).toMatchObject({
        ...told,
        rings: [{ ...ring, key }],
      });
      const pull = payload(action, { issue: undefined, pull_request: { number: 8 } });
      const rings = [{ ...ring, key: { ...key, type: 'github_pull_request', number: 8 } }];
      expect(parseGitHubEvent('pull_request', pull)).toMatchObject({ ...told, rings });
    },
  );

  it.each([
    ['push', 'created'],
    ['deployment', 'created'],
    ['issue_comment', 'pinned'],
    ['issues', 'pinned'],
    ['__proto__', 'created'],
  ])('makes nothing of %s %s', (event, action) => {
    expect(parseGitHubEvent(event, payload(action))).toMatchObject({ kind: 'ignored' });
  });

  it.each([
    [null],
    [[]],
    ['text'],
    [{}],
    [payload('created', { comment: null })],
    [payload('created', { issue: { number: 1.5 } })],
    [payload('created', { repository: { full_name: 'acme' } })],
  ])('says what is wrong with %j', (malformed) => {
    expect(parseGitHubEvent('issue_comment', malformed)).toMatchObject({
      kind: 'malformed',
      reason: expect.stringContaining('✖'),
    });
  });
});
