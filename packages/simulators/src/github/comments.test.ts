import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repository, repositoryName, startTrial, type Trial } from './trial.ts';

let trial: Trial;
const thread = { ...repository, issue_number: 1 };
const second = 1000;

beforeEach(async () => {
  trial = await startTrial();
  trial.simulator.openIssue({ repo: repositoryName, author: 'alice', title: 'Talk' });
});

afterEach(() => trial.close());

const say = (body: string, number = 1) =>
  trial.simulator.comment({ repo: repositoryName, number, author: 'alice', body });

describe('comments of the simulated GitHub', () => {
  it('creates, reads, edits and deletes a comment', async () => {
    const { issues } = trial.octokit('agent-token').rest;
    const { data: created, headers } = await issues.createComment({ ...thread, body: 'Hello' });
    expect(headers.location).toBe(created.url);
    trial.pass(second);
    await issues.updateComment({ ...repository, comment_id: created.id, body: 'Hello!' });
    const { data: read } = await issues.getComment({ ...repository, comment_id: created.id });
    expect(read).toMatchObject({
      body: 'Hello!',
      created_at: '2024-05-01T00:00:00Z',
      updated_at: '2024-05-01T00:00:01Z',
    });
    expect((await issues.deleteComment({ ...repository, comment_id: created.id })).status).toBe(204);
    await expect(issues.getComment({ ...repository, comment_id: created.id })).rejects.toMatchObject({
      status: 404,
    });
    expect(trial.simulator.thread(repositoryName, 1).comments).toEqual([]);
  });

  it('counts the comments of a thread', async () => {
    say('one');
    say('two');
    const { data } = await trial.octokit('agent-token').rest.issues.get(thread);
    expect(data.comments).toBe(2);
  });

  it('lists a thread ascending by id, deaf to sort and direction', async () => {
    for (const body of ['first', 'second', 'third']) say(body);
    const { data } = await trial
      .octokit('agent-token')
      .request('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
        ...thread,
        sort: 'updated',
        direction: 'desc',
      });
    expect(data.map(({ body }) => body)).toEqual(['first', 'second', 'third']);
    expect(data.map(({ id }) => id)).toEqual(
      data.map(({ id }) => id).sort((one, other) => Number(one) - Number(other)),
    );
  });

  it('lists with `since` what was created or edited then or later', async () => {
    const first = say('first');
    trial.pass(second);
    say('second');
    const { listComments } = trial.octokit('agent-token').rest.issues;
    const bodies = async (since: string) =>
      (await listComments({ ...thread, since })).data.map(({ body }) => body);
    expect(await bodies('2024-05-01T00:00:01Z')).toEqual(['second']);
    trial.pass(second);
    trial.simulator.editComment(repositoryName, first.id, 'first, edited');
    expect(await bodies('2024-05-01T00:00:01Z')).toEqual(['first, edited', 'second']);
    expect(await bodies('2024-05-01T00:00:02Z')).toEqual(['first, edited']);
    expect(await bodies('2024-05-01T00:00:03Z')).toEqual([]);
  });

  it('lists the comments of all threads of a repository, sorted as asked', async () => {
    trial.simulator.openIssue({ repo: repositoryName, author: 'alice', title: 'Other' });
    const first = say('first', 2);
    trial.pass(second);
    say('second', 1);
    trial.pass(second);
    trial.simulator.editComment(repositoryName, first.id, 'edited');
    const { listCommentsForRepo } = trial.octokit('agent-token').rest.issues;
    const bodies = async (query: object) =>
      (await listCommentsForRepo({ ...repository, ...query })).data.map(({ body }) => body);
    expect(await bodies({})).toEqual(['edited', 'second']);
    expect(await bodies({ direction: 'desc' })).toEqual(['edited', 'second']);
    expect(await bodies({ sort: 'created', direction: 'desc' })).toEqual(['second', 'edited']);
    expect(await bodies({ sort: 'updated' })).toEqual(['second', 'edited']);
    expect(await bodies({ since: '2024-05-01T00:00:02Z' })).toEqual(['edited']);
  });

  it('shares one conversation between a pull request and its issue', async () => {
    await trial.simulator.openPullRequest({
      repo: repositoryName,
      author: 'agent',
      title: 'Pull',
      headBranch: 'x',
      files: { a: 'a' },
    });
    const { data } = await trial
      .octokit('agent-token')
      .rest.issues.createComment({ ...repository, issue_number: 2, body: 'On it' });
    expect(data.html_url).toContain('/owner/demo/pull/2#issuecomment-');
    expect(trial.simulator.thread(repositoryName, 2).comments).toMatchObject([
      { author: 'agent', body: 'On it' },
    ]);
  });

  it('refuses an empty body, a missing one and one of 65,537 characters', async () => {
    const { issues } = trial.octokit('agent-token').rest;
    const create = (body: unknown) => issues.createComment({ ...thread, body: body as string });
    await expect(create(' \n')).rejects.toMatchObject({ status: 422 });
    await expect(create(undefined)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining("wasn't supplied"),
    });
    await expect(create(7)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('7 is not a string'),
    });
    await expect(create('x'.repeat(65_537))).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('too long'),
    });
    expect((await create('x'.repeat(65_536))).status).toBe(201);
  });

  it("lets only authors and people with write access edit or delete somebody's comment", async () => {
    const { id } = say('hers');
    const remove = (token: string) =>
      trial.octokit(token).rest.issues.deleteComment({ ...repository, comment_id: id });
    await expect(remove('stranger-token')).rejects.toMatchObject({ status: 403 });
    await expect(remove('agent-token')).resolves.toMatchObject({ status: 204 });
  });

  it('refuses a body that is no JSON', async () => {
    const response = await fetch(`${trial.simulator.url}/repos/owner/demo/issues/1/comments`, {
      method: 'POST',
      headers: { authorization: 'Bearer agent-token' },
      body: '{"body": ',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: 'Problems parsing JSON' });
  });

  it('keeps every character of a body: emoji, right-to-left marks, Windows line ends', async () => {
    const body = '👩‍💻 \u202Eabc\u202C\r\n日本語 ';
    const { issues } = trial.octokit('agent-token').rest;
    await issues.createComment({ ...thread, body });
    expect((await issues.listComments(thread)).data[0]?.body).toBe(body);
  });

  it('seeds 5,000 comments and lists them all within a few seconds', async () => {
    for (let index = 0; index < 5000; index += 1) say(`comment ${index}`);
    const octokit = trial.octokit('agent-token');
    const began = performance.now();
    const all = await octokit.paginate(octokit.rest.issues.listComments, { ...thread, per_page: 100 });
    expect(all).toHaveLength(5000);
    expect(performance.now() - began).toBeLessThan(5000);
  });
});
