import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repository, repositoryName, startTrial, type Trial } from './trial.ts';

let trial: Trial;
beforeEach(async () => {
  trial = await startTrial();
});
afterEach(() => trial.close());

const query = `query ($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) {
    thread: issueOrPullRequest(number: $number) {
      __typename
      ... on Issue {
        lastEditedAt
        editor { login ... on User { databaseId } }
        userContentEdits(first: 5) { totalCount nodes { editedAt editor { login } } }
        timelineItems(last: 10, itemTypes: [LABELED_EVENT, RENAMED_TITLE_EVENT]) {
          nodes {
            __typename
            ... on LabeledEvent { createdAt actor { __typename login } label { name } }
            ... on RenamedTitleEvent { createdAt actor { login } currentTitle }
          }
        }
      }
    }
  }
}`;
const ask = (text: string, number = 1) =>
  trial.octokit('agent-token').graphql<object>(text, { ...repository, number });

describe('GraphQL', () => {
  it('tells who labeled, renamed and edited a thread, and when', async () => {
    const { simulator } = trial;
    simulator.addUser({ login: 'helper[bot]', type: 'Bot' });
    simulator.openIssue({ repo: repositoryName, author: 'stranger', title: 'One', labels: ['bug'] });
    trial.pass(1_000);
    simulator.editThread(repositoryName, 1, { title: 'Two', body: 'More' });
    trial.pass(1_000);
    simulator.addLabels(repositoryName, 1, ['bug', 'coding agent'], { by: 'helper[bot]' });
    simulator.removeLabel(repositoryName, 1, 'bug', { by: 'alice' });
    simulator.editThread(repositoryName, 1, { body: 'Most', by: 'owner' });
    expect(await ask(query)).toEqual({
      repository: {
        thread: {
          __typename: 'Issue',
          lastEditedAt: '2024-05-01T00:00:02Z',
          editor: { login: 'owner', databaseId: expect.any(Number) },
          userContentEdits: {
            totalCount: 3,
            nodes: [
              { editedAt: '2024-05-01T00:00:02Z', editor: { login: 'owner' } },
              { editedAt: '2024-05-01T00:00:01Z', editor: { login: 'stranger' } },
              { editedAt: '2024-05-01T00:00:00Z', editor: { login: 'stranger' } },
            ],
          },
          timelineItems: {
            nodes: [
              {
                __typename: 'LabeledEvent',
                createdAt: '2024-05-01T00:00:00Z',
                actor: { __typename: 'User', login: 'owner' },
                label: { name: 'bug' },
              },
              {
                __typename: 'RenamedTitleEvent',
                createdAt: '2024-05-01T00:00:01Z',
                actor: { login: 'stranger' },
                currentTitle: 'Two',
              },
              {
                __typename: 'LabeledEvent',
                createdAt: '2024-05-01T00:00:02Z',
                actor: { __typename: 'Bot', login: 'helper' },
                label: { name: 'coding agent' },
              },
            ],
          },
        },
      },
    });
  });

  it('says what it does not find, and what a type does not have', async () => {
    await expect(ask(query, 9)).rejects.toMatchObject({ errors: [{ type: 'NOT_FOUND' }] });
    await expect(ask('{ viewer { login } }')).rejects.toThrow("Field 'viewer' doesn't exist on type 'Query'");
  });
});

it('tells who pushed a branch, newest first', async () => {
  const { simulator } = trial;
  await simulator.addRepository({ owner: 'stranger', name: 'demo', forkOf: repositoryName });
  trial.pass(1_000);
  const pull = { repo: repositoryName, author: 'stranger', title: 'Fix', headBranch: 'fix' } as const;
  await simulator.openPullRequest({ ...pull, headRepository: 'stranger/demo', files: { 'a.txt': '1' } });
  const list = { owner: 'stranger', repo: 'demo' };
  const route = 'GET /repos/{owner}/{repo}/activity';
  const octokit = trial.octokit('agent-token');
  const { data } = await octokit.request(route, { ...list, ref: 'fix' });
  const { data: main } = await octokit.request(route, { ...list, ref: 'refs/heads/main' });
  const made = { activity_type: 'branch_creation', actor: { login: 'stranger' } };
  expect(data).toMatchObject([{ ...made, ref: 'refs/heads/fix', timestamp: '2024-05-01T00:00:01Z' }]);
  expect(main).toMatchObject([{ ...made, timestamp: '2024-05-01T00:00:00Z' }]);
  const head = await octokit.request('GET /repos/{owner}/{repo}/pulls/1', repository);
  expect(data[0]?.after).toBe(head.data.head.sha);
});

describe('deleteIssue', () => {
  const mutation = 'mutation($id: ID!) { deleteIssue(input: { issueId: $id }) { clientMutationId } }';

  it('deletes an issue for an administrator alone', async () => {
    const { simulator, octokit } = trial;
    simulator.openIssue({ repo: repositoryName, author: 'stranger', title: 'One' });
    const { data } = await octokit('owner-token').rest.issues.get({ ...repository, issue_number: 1 });
    const remove = (token: string) => octokit(token).graphql(mutation, { id: data.node_id });
    await expect(remove('agent-token')).rejects.toThrow(/does not have the correct permissions/);
    await remove('owner-token');
    await expect(
      octokit('owner-token').rest.issues.get({ ...repository, issue_number: 1 }),
    ).rejects.toMatchObject({
      status: 410,
    });
  });
});
