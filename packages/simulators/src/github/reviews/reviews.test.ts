import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repository, repositoryName, startTrial, type Trial } from '../trial.ts';

let trial: Trial;
const pull = { ...repository, pull_number: 1 };
const path = 'src/list.js';
const lines = (...texts: readonly string[]) => `${texts.join('\n')}\n`;
const original = lines('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l');
const changed = original.replace('k\n', 'K1\nK2\n');

beforeEach(async () => {
  trial = await startTrial();
  const { simulator } = trial;
  await simulator.push({
    repo: repositoryName,
    branch: 'main',
    author: 'owner',
    files: { [path]: original },
  });
  await simulator.openPullRequest({
    repo: repositoryName,
    author: 'agent',
    title: 'Change the list',
    headBranch: 'fix',
    files: { [path]: changed },
  });
});
afterEach(() => trial.close());

const alice = () => trial.octokit('alice-token').rest.pulls;
const push = (files: Record<string, string>, force?: 'amend') =>
  trial.simulator.push({
    repo: repositoryName,
    branch: 'fix',
    author: 'owner',
    files,
    ...(force ? { force } : {}),
  });
const head = async () => (await alice().get(pull)).data.head.sha;
const commentOn = async (line: number, more: object = {}) =>
  (
    await alice().createReviewComment({
      ...pull,
      body: 'Why?',
      commit_id: await head(),
      path,
      line,
      ...more,
    })
  ).data;
const refusal = (status: number, errors: readonly unknown[]) => ({
  status,
  response: { data: { errors } },
});

describe('reviews', () => {
  it('are submitted with comments on lines, listed oldest first, and dismissed by who may write', async () => {
    const { data: review } = await alice().createReview({
      ...pull,
      event: 'REQUEST_CHANGES',
      body: 'Not yet',
      comments: [{ path, line: 11, body: 'One line, please' }],
    });
    trial.pass(1_000);
    await trial.simulator.reviews.submit({
      repo: repositoryName,
      number: 1,
      author: 'owner',
      event: 'APPROVE',
    });
    const { data: listed } = await alice().listReviews(pull);
    expect(listed.map(({ state, body, user }) => [state, body, user?.login])).toEqual([
      ['CHANGES_REQUESTED', 'Not yet', 'alice'],
      ['APPROVED', '', 'owner'],
    ]);
    const { data: comments } = await alice().listCommentsForReview({ ...pull, review_id: review.id });
    expect(comments).toMatchObject([{ path, line: 11, side: 'RIGHT', pull_request_review_id: review.id }]);
    const dismissal = { ...pull, review_id: review.id, message: 'Done' };
    await expect(alice().dismissReview(dismissal)).rejects.toMatchObject({ status: 403 });
    const { data: dismissed } = await trial.octokit('agent-token').rest.pulls.dismissReview(dismissal);
    expect(dismissed).toMatchObject({ id: review.id, state: 'DISMISSED', body: 'Not yet' });
  });

  it('are their author’s alone until they are submitted, one at a time', async () => {
    const { data: pending } = await alice().createReview({
      ...pull,
      comments: [{ path, line: 11, body: 'x' }],
    });
    expect(pending).not.toHaveProperty('submitted_at');
    const others = trial.octokit('agent-token').rest.pulls;
    expect((await others.listReviews(pull)).data).toEqual([]);
    expect((await others.listReviewComments(pull)).data).toEqual([]);
    await expect(alice().createReview({ ...pull, event: 'APPROVE' })).rejects.toMatchObject(
      refusal(422, ['User can only have one pending review per pull request']),
    );
    await alice().submitReview({ ...pull, review_id: pending.id, event: 'COMMENT', body: 'Now' });
    expect((await others.listReviews(pull)).data).toMatchObject([{ state: 'COMMENTED', body: 'Now' }]);
    expect((await others.listReviewComments(pull)).data).toMatchObject([{ body: 'x' }]);
  });

  it('are changed by their author, and taken back with their comments while they are pending', async () => {
    const { data: pending } = await alice().createReview({
      ...pull,
      comments: [{ path, line: 11, body: 'x' }],
    });
    const one = { ...pull, review_id: pending.id };
    await expect(trial.octokit('agent-token').rest.pulls.getReview(one)).rejects.toMatchObject({
      status: 404,
    });
    expect((await alice().updateReview({ ...one, body: 'Wait' })).data).toMatchObject({ body: 'Wait' });
    await alice().deletePendingReview(one);
    expect((await alice().listReviewComments(pull)).data).toEqual([]);
    const { data: sent } = await alice().createReview({ ...pull, event: 'COMMENT', body: 'Hm' });
    await expect(alice().deletePendingReview({ ...pull, review_id: sent.id })).rejects.toMatchObject(
      refusal(422, ['Can not delete a non-pending pull request review']),
    );
    await expect(
      trial.octokit('owner-token').rest.pulls.dismissReview({ ...pull, review_id: sent.id, message: 'x' }),
    ).rejects.toMatchObject(refusal(422, ['Can not dismiss a commented pull request review']));
  });

  it('refuse what GitHub refuses, and write nothing of it', async () => {
    const own = trial.octokit('agent-token').rest.pulls;
    const create = (review: object) => alice().createReview({ ...pull, ...review });
    await expect(own.createReview({ ...pull, event: 'APPROVE' })).rejects.toMatchObject(
      refusal(422, ['Can not approve your own pull request']),
    );
    await expect(
      create({ event: 'COMMENT', comments: [{ path, line: 1, body: 'x' }] }),
    ).rejects.toMatchObject(
      refusal(422, [
        "Pull request review thread line must be part of the diff and Pull request review thread diff hunk can't be blank",
      ]),
    );
    await expect(
      create({ event: 'COMMENT', comments: [{ path: 'none.js', line: 1, body: 'x' }] }),
    ).rejects.toMatchObject(
      refusal(422, [
        "Pull request review thread path is invalid and Pull request review thread diff hunk can't be blank",
      ]),
    );
    await expect(create({ event: 'COMMENT' })).rejects.toMatchObject({ status: 422 });
    expect((await alice().listReviews(pull)).data).toEqual([]);
    trial.simulator.addToken({ token: 'narrow', login: 'alice', permissions: { pull_requests: 'read' } });
    const narrow = trial.octokit('narrow').rest.pulls;
    expect((await narrow.listReviews(pull)).status).toBe(200);
    await expect(narrow.createReview({ ...pull, event: 'APPROVE' })).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('Resource not accessible by personal access token'),
    });
  });
});

describe('comments on lines', () => {
  it('say their place, the hunk above it and their review', async () => {
    const comment = await commentOn(12, { start_line: 11 });
    expect(comment).toMatchObject({
      path,
      line: 12,
      start_line: 11,
      side: 'RIGHT',
      start_side: 'RIGHT',
      original_line: 12,
      subject_type: 'line',
      position: 6,
      diff_hunk: '@@ -8,5 +8,6 @@ g\n h\n i\n j\n-k\n+K1\n+K2',
      commit_id: await head(),
    });
    const { data: reviews } = await alice().listReviews(pull);
    expect(reviews).toMatchObject([{ id: comment.pull_request_review_id, state: 'COMMENTED', body: '' }]);
    const removed = await commentOn(11, { side: 'LEFT' });
    expect(removed).toMatchObject({ side: 'LEFT', line: 11, diff_hunk: expect.stringMatching(/\n-k$/) });
    await expect(commentOn(1)).rejects.toMatchObject(
      refusal(422, [
        {
          resource: 'PullRequestReviewComment',
          code: 'custom',
          field: 'pull_request_review_thread.line',
          message: 'pull_request_review_thread.line must be part of the diff',
        },
        {
          resource: 'PullRequestReviewComment',
          code: 'missing_field',
          field: 'pull_request_review_thread.diff_hunk',
        },
      ]),
    );
  });

  it('may mean a whole file, which is outdated only when the diff has it no more', async () => {
    const file = { ...pull, body: 'All of it', commit_id: await head(), path, subject_type: 'file' } as const;
    const { data } = await alice().createReviewComment(file);
    expect(data).toMatchObject({ subject_type: 'file', line: null, path });
    await push({ [path]: changed.replace('K1', 'K9') });
    expect(trial.simulator.reviews.threads(repositoryName, 1)).toMatchObject([{ isOutdated: false }]);
    await push({ [path]: original, other: 'x\n' });
    expect(trial.simulator.reviews.threads(repositoryName, 1)).toMatchObject([{ isOutdated: true }]);
  });

  it('are answered, edited and deleted; an answer to an answer is refused', async () => {
    const { id, updated_at: before } = await commentOn(11);
    trial.pass(5_000);
    const own = trial.octokit('agent-token').rest.pulls;
    const { data: answer } = await own.createReplyForReviewComment({ ...pull, comment_id: id, body: 'So.' });
    expect(answer).toMatchObject({ in_reply_to_id: id, path, line: 11, user: { login: 'agent' } });
    await expect(
      own.createReplyForReviewComment({ ...pull, comment_id: answer.id, body: 'x' }),
    ).rejects.toMatchObject({ status: 422 });
    const one = { ...repository, comment_id: answer.id };
    await expect(
      trial.octokit('stranger-token').rest.pulls.updateReviewComment({ ...one, body: 'x' }),
    ).rejects.toMatchObject({ status: 403 });
    trial.pass(5_000);
    await own.updateReviewComment({ ...one, body: 'So!' });
    const since = new Date(Date.parse(before) + 10_000).toISOString();
    const { data: recent } = await own.listReviewCommentsForRepo({ ...repository, since });
    expect(recent.map(({ body }) => body)).toEqual(['So!']);
    await own.deleteReviewComment(one);
    await expect(own.getReviewComment(one)).rejects.toMatchObject({ status: 404 });
    expect((await own.listReviews(pull)).data).toHaveLength(1);
    expect((await own.get(pull)).data.review_comments).toBe(1);
  });

  it('answer 304 to who has them, and come in pages', async () => {
    for (const body of ['1', '2', '3']) await commentOn(11, { body });
    const { data, headers } = await alice().listReviewComments({ ...pull, per_page: 2, page: 2 });
    expect(data.map(({ body }) => body)).toEqual(['3']);
    expect(headers.link).toContain('rel="prev"');
    const first = await alice().listReviewCommentsForRepo(repository);
    const again = { ...repository, headers: { 'if-none-match': first.headers.etag } };
    await expect(alice().listReviewCommentsForRepo(again)).rejects.toMatchObject({ status: 304 });
    const newest = await alice().listReviewCommentsForRepo({
      ...repository,
      sort: 'created',
      direction: 'desc',
    });
    expect(newest.data.map(({ body }) => body)).toEqual(['3', '2', '1']);
  });

  it('are reacted to', async () => {
    const { id } = await commentOn(11);
    const one = { ...repository, comment_id: id };
    await trial
      .octokit('agent-token')
      .rest.reactions.createForPullRequestReviewComment({ ...one, content: 'eyes' });
    const { data } = await alice().getReviewComment(one);
    expect(data.reactions).toMatchObject({ eyes: 1, total_count: 1 });
  });
});

describe('comments on lines after a push', () => {
  it('follow lines that moved, with the new head', async () => {
    const { id, commit_id: before } = await commentOn(12);
    const sha = await push({ [path]: changed.replace('K1\n', 'K0\nK1\n') });
    const { data } = await alice().getReviewComment({ ...repository, comment_id: id });
    expect(data).toMatchObject({ line: 13, original_line: 12, commit_id: sha, original_commit_id: before });
    expect(data.position).toBe(7);
  });

  it('are outdated once their lines are changed, and current again when they are back', async () => {
    const { id } = await commentOn(12);
    const first = await head();
    await push({ [path]: changed.replace('K2', 'K3') });
    const { data } = await alice().getReviewComment({ ...repository, comment_id: id });
    expect(data).toMatchObject({ line: null, position: null, original_line: 12, commit_id: first });
    await push({ [path]: changed });
    const again = await alice().getReviewComment({ ...repository, comment_id: id });
    expect(again.data.line).toBe(12);
  });

  it('are outdated by a force-push that takes their commit away, whose id is refused from then on', async () => {
    const { id, commit_id: before } = await commentOn(11);
    await push({ [path]: original.replace('b\n', 'B\n') }, 'amend');
    const { data } = await alice().getReviewComment({ ...repository, comment_id: id });
    expect(data).toMatchObject({ line: null, original_line: 11, original_commit_id: before });
    await expect(
      alice().createReviewComment({ ...pull, body: 'x', commit_id: before, path, line: 2 }),
    ).rejects.toMatchObject({
      status: 422,
      response: { data: { errors: [{ message: 'commit_id is not part of the pull request' }] } },
    });
  });

  it('follow the base, too', async () => {
    const { id } = await commentOn(11, { side: 'LEFT' });
    await trial.simulator.push({
      repo: repositoryName,
      branch: 'main',
      author: 'owner',
      files: { other: 'x\n' },
    });
    const { data } = await alice().getReviewComment({ ...repository, comment_id: id });
    expect(data).toMatchObject({ line: 11, side: 'LEFT' });
  });
});
