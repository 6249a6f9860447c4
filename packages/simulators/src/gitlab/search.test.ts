import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { project, projectApi, refusal, startTrial, type Trial } from './trial.ts';

let trial: Trial;

beforeEach(async () => {
  trial = await startTrial();
  const { simulator } = trial;
  simulator.openIssue({ project, author: 'reporter', title: 'Sum is wrong', description: 'By two' });
  simulator.openIssue({ project, author: 'reporter', title: 'Other', confidential: true });
  simulator.note({ project, reference: '#1', author: 'reporter', body: 'Two remarks' });
  simulator.note({ project, reference: '#1', author: 'reporter', body: 'Two secrets', internal: true });
  await simulator.openMergeRequest({
    project,
    author: 'agent',
    title: 'Mend the sum',
    sourceBranch: 'mend',
    files: { 'src/sum.js': 'export const sum = (a, b) => a + b;\n' },
  });
});

afterEach(() => trial.close());

const find = async (scope: string, search: string, token = 'agent-token') =>
  (await trial.rest(`${projectApi}/search?scope=${scope}&search=${encodeURIComponent(search)}`, { token }))
    .body;

describe('searching the simulated GitLab', () => {
  it('finds issues and merge requests of a project by every word in title and description', async () => {
    expect(await find('issues', 'two SUM')).toMatchObject([{ iid: 1 }]);
    expect(await find('issues', 'three sum')).toEqual([]);
    expect(await find('issues', '#2')).toMatchObject([{ title: 'Other' }]);
    expect(await find('issues', 'other', 'guest-token')).toEqual([]);
    expect(await find('merge_requests', 'sum')).toMatchObject([{ iid: 1, source_branch: 'mend' }]);
    const found = await trial.api().Search.all('issues', 'wrong', { projectId: project });
    expect(found).toMatchObject([{ iid: 1 }]);
  });

  it('finds notes that the asker reads', async () => {
    expect(await find('notes', 'two')).toHaveLength(2);
    expect(await find('notes', 'two', 'guest-token')).toMatchObject([{ body: 'Two remarks' }]);
  });

  it('finds code on the default branch, or on the one asked for, line by line', async () => {
    expect(await find('blobs', 'A - B')).toMatchObject([
      {
        path: 'src/sum.js',
        startline: 1,
        data: 'export const sum = (a, b) => a - b;\n',
        project_id: trial.projectId,
      },
    ]);
    expect(await find('blobs', 'a + b')).toEqual([]);
    const { body } = await trial.rest(`${projectApi}/search?scope=blobs&search=a%20%2B%20b&ref=mend`);
    expect(body).toHaveLength(1);
    expect(
      (await trial.rest(`${projectApi}/search?scope=blobs&search=a`, { token: 'guest-token' })).status,
    ).toBe(403);
  });

  it('searches everywhere for issues, and for code nowhere but in a project', async () => {
    expect((await trial.rest('/search?scope=issues&search=sum')).body).toHaveLength(1);
    expect((await trial.rest('/search?scope=issues&search=sum', { token: 'stranger-token' })).body).toEqual(
      [],
    );
    expect(await trial.rest('/search?scope=blobs&search=sum')).toMatchObject({ status: 400 });
  });

  it('wants a scope, words, and an account', async () => {
    const search = (query: string) => trial.rest(`${projectApi}/search${query}`);
    expect((await search('?search=x')).body).toEqual({ error: 'scope is missing' });
    expect((await search('?scope=issues')).body).toEqual({ error: 'search is missing' });
    expect((await search('?scope=all&search=x')).body).toEqual({
      error: 'scope does not have a valid value',
    });
    expect((await trial.rest(`${projectApi}/search?scope=issues&search=x`, { token: null })).status).toBe(
      401,
    );
    expect((await refusal(trial.api().Search.all('issues', '', { projectId: project }))).message).toBe(
      'search is empty',
    );
  });
});
