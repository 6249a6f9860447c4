import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repository, repositoryName, startTrial, type Trial } from './trial.ts';

let trial: Trial;
let comment: { readonly owner: string; readonly repo: string; readonly comment_id: number };

beforeEach(async () => {
  trial = await startTrial();
  trial.simulator.openIssue({ repo: repositoryName, author: 'alice', title: 'Talk' });
  const { id } = trial.simulator.comment({ repo: repositoryName, number: 1, author: 'alice', body: 'Hello' });
  comment = { ...repository, comment_id: id };
});

afterEach(() => trial.close());

describe('reactions of the simulated GitHub', () => {
  it('gives a reaction once: 201, and 200 when it is there already', async () => {
    const { reactions, issues } = trial.octokit('agent-token').rest;
    const first = await reactions.createForIssueComment({ ...comment, content: 'eyes' });
    const second = await reactions.createForIssueComment({ ...comment, content: 'eyes' });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.data).toEqual(first.data);
    expect((await issues.getComment(comment)).data.reactions).toMatchObject({
      total_count: 1,
      eyes: 1,
      '+1': 0,
    });
  });

  it('lists them, by content too, and takes them back', async () => {
    const { reactions } = trial.octokit('agent-token').rest;
    const { data: eyes } = await reactions.createForIssueComment({ ...comment, content: 'eyes' });
    await reactions.createForIssueComment({ ...comment, content: '+1' });
    expect((await reactions.listForIssueComment(comment)).data).toHaveLength(2);
    expect((await reactions.listForIssueComment({ ...comment, content: '+1' })).data).toHaveLength(1);
    await expect(
      trial.octokit('alice-token').rest.reactions.deleteForIssueComment({ ...comment, reaction_id: eyes.id }),
    ).rejects.toMatchObject({ status: 403 });
    expect((await reactions.deleteForIssueComment({ ...comment, reaction_id: eyes.id })).status).toBe(204);
    await expect(reactions.deleteForIssueComment({ ...comment, reaction_id: eyes.id })).rejects.toMatchObject(
      { status: 404 },
    );
  });

  it('reacts to issues as well, and knows only the eight', async () => {
    const { reactions } = trial.octokit('agent-token').rest;
    await reactions.createForIssue({ ...repository, issue_number: 1, content: 'rocket' });
    expect((await reactions.listForIssue({ ...repository, issue_number: 1 })).data).toMatchObject([
      { content: 'rocket', user: { login: 'agent' } },
    ]);
    await expect(
      reactions.createForIssue({ ...repository, issue_number: 1, content: 'shrug' as 'eyes' }),
    ).rejects.toMatchObject({ status: 422 });
  });
});
