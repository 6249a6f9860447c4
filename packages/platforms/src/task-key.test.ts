import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTaskKey, parseTaskKey, parseTaskKeyJson, type TaskKey, toTaskKeyJson } from './task-key.ts';

const name = fc.stringMatching(/^[A-Za-z0-9._/-]{1,30}$/u);
const number = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const text = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((value) => !/\p{Surrogate}/u.test(value));
const anyTaskKey: fc.Arbitrary<TaskKey> = fc.oneof(
  fc.record({
    type: fc.constantFrom('github_issue' as const, 'github_pull_request' as const),
    owner: name,
    repo: name,
    number,
  }),
  fc.record({ type: fc.constant('gitlab_issue' as const), projectId: name, issueIid: number }),
  fc.record({ type: fc.constant('gitlab_merge_request' as const), projectId: name, mrIid: number }),
  fc.record({ type: fc.constant('custom' as const), platform: text, project: text, id: text }),
);

describe('formatTaskKey and parseTaskKey', () => {
  it.each<[string, TaskKey]>([
    [
      'github_issue:octocat:hello:42 [CI-25]',
      { type: 'github_issue', owner: 'octocat', repo: 'hello', number: 42 },
    ],
    [
      'github_pull_request:octocat:hello:7 [CI-26]',
      { type: 'github_pull_request', owner: 'octocat', repo: 'hello', number: 7 },
    ],
    ['gitlab_issue:123:4 [CI-27]', { type: 'gitlab_issue', projectId: '123', issueIid: 4 }],
    ['gitlab_merge_request:123:5 [CI-28]', { type: 'gitlab_merge_request', projectId: '123', mrIid: 5 }],
    [
      'custom:tracker:a%3Ab:%E6%BC%A2 1'.replace(' ', '%20'),
      { type: 'custom', platform: 'tracker', project: 'a:b', id: '漢 1' },
    ],
  ])('writes %s', (title, key) => {
    expect(formatTaskKey(key)).toBe(title.replace(/ \[.*$/u, ''));
  });

  it('reads every key back from its text, and from its JSON [CI-24]', () => {
    fc.assert(
      fc.property(anyTaskKey, (key) => {
        expect(parseTaskKey(formatTaskKey(key))).toEqual(key);
        expect(parseTaskKeyJson(JSON.parse(JSON.stringify(toTaskKeyJson(key))))).toEqual(key);
      }),
    );
  });

  it('gives two different keys two different texts', () => {
    fc.assert(
      fc.property(anyTaskKey, anyTaskKey, (one, other) => {
        const same = JSON.stringify(toTaskKeyJson(one)) === JSON.stringify(toTaskKeyJson(other));
        expect(formatTaskKey(one) === formatTaskKey(other)).toBe(same);
      }),
    );
  });

  it.each([
    '',
    'github_issue',
    'github_issue:octocat:hello',
    'github_issue:octocat:hello:0',
    'github_issue:octocat:hello:042',
    'github_issue:octocat:hello:4.2',
    'github_issue::hello:42',
    'github_issue:octocat:hello:42:1',
    'gitlab_issue:12:x',
    'jira:12:1',
    'custom:a:b',
    'custom:a:b:%E0',
    'custom:a:b:c%2f',
  ])('refuses %j and says what a key looks like', (wrong) => {
    expect(() => parseTaskKey(wrong)).toThrowError(
      expect.objectContaining({
        code: 'invalid',
        message: expect.stringContaining('github_issue:{owner}:{repo}:{number}'),
      }),
    );
  });

  it('refuses to write what it could not read back', () => {
    const key = { type: 'github_issue', owner: 'a:b', repo: 'c', number: 1 } as const;
    expect(() => formatTaskKey(key)).toThrowError(expect.objectContaining({ code: 'invalid' }));
    expect(() => formatTaskKey({ ...key, owner: 'a', number: Number.NaN })).toThrowError(/NaN/);
    expect(() => formatTaskKey({ type: 'custom', platform: '\ud800', project: '', id: '' })).toThrowError(
      expect.objectContaining({ code: 'invalid' }),
    );
  });
});

describe('toTaskKeyJson and parseTaskKeyJson', () => {
  it("writes the seeds' dictionaries [CI-28]", () => {
    expect(toTaskKeyJson({ type: 'github_issue', owner: 'o', repo: 'r', number: 1 })).toEqual({
      type: 'github_issue',
      owner: 'o',
      repo: 'r',
      number: 1,
    });
    expect(toTaskKeyJson({ type: 'gitlab_merge_request', projectId: '12', mrIid: 3 })).toEqual({
      type: 'gitlab_merge_request',
      project_id: '12',
      mr_iid: 3,
    });
  });

  it('reads a project id that is a number, and ignores fields that it does not know', () => {
    expect(parseTaskKeyJson({ type: 'gitlab_issue', project_id: 12, issue_iid: 3, user: 'x' })).toEqual({
      type: 'gitlab_issue',
      projectId: '12',
      issueIid: 3,
    });
  });

  it.each([null, 'github_issue:o:r:1', {}, { type: 'github_issue', owner: 'o', repo: 'r', number: '1' }])(
    'refuses %j and names what is wrong',
    (json) => {
      expect(() => parseTaskKeyJson(json)).toThrowError(
        expect.objectContaining({ code: 'invalid', message: expect.stringContaining('not a task key') }),
      );
    },
  );

  it.each([
    ['owner', { type: 'github_issue', owner: 'o:x', repo: 'r', number: 1 }],
    ['repo', { type: 'github_pull_request', owner: 'o', number: 1 }],
    ['number', { type: 'github_issue', owner: 'o', repo: 'r', number: 0.5 }],
    ['project_id', { type: 'gitlab_issue', project_id: -1, issue_iid: 1 }],
    ['mr_iid', { type: 'gitlab_merge_request', project_id: 'group', mr_iid: 2 ** 53 }],
    ['id', { type: 'custom', platform: 'p', project: '', id: 7 }],
  ])('names the field %s of a wrong dictionary', (field, json) => {
    expect(() => parseTaskKeyJson(json)).toThrowError(new RegExp(`"${field}"`, 'u'));
  });
});
