import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shapeDifferences } from './shape.ts';
import { repository, repositoryName, startTrial, type Trial } from './trial.ts';

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly response: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

interface WebhookExamples {
  readonly name: string;
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}

// As data: the package's own entry starts intercepting HTTP.
const load = createRequire(import.meta.url);
const webhookExamples: readonly WebhookExamples[] = load('@octokit/webhooks-examples');

function recorded(scenario: string): readonly Recorded[] {
  return load(`@octokit/fixtures/scenarios/api.github.com/${scenario}/normalized-fixture.json`);
}

/** The answer of the real api.github.com to the n-th request of a scenario of @octokit/fixtures. */
function recordedAnswer(scenario: string, index = 0): unknown {
  return recorded(scenario)[index]?.response;
}

/** A resource out of an example of @octokit/webhooks-examples. */
function webhookResource(event: string, resource: string): unknown {
  return webhookExamples.find(({ name }) => name === event)?.examples[0]?.[resource];
}

let trial: Trial;
const thread = { ...repository, issue_number: 1 };

beforeAll(async () => {
  trial = await startTrial();
  const { simulator } = trial;
  simulator.openIssue({
    repo: repositoryName,
    author: 'alice',
    title: 'sesame',
    body: 'open',
    labels: ['Foo', 'bAr', 'baZ'],
    assignees: ['agent'],
  });
  simulator.comment({ repo: repositoryName, number: 1, author: 'alice', body: 'Hello' });
  await simulator.openPullRequest({
    repo: repositoryName,
    author: 'agent',
    title: 'sesame too',
    body: 'x',
    headBranch: 'x',
    files: { x: 'x\n' },
  });
  simulator.addUser({ login: 'company', type: 'Organization' });
  await simulator.addRepository({ owner: 'company', name: 'theirs', collaborators: { agent: 'admin' } });
});

afterAll(() => trial.close());

const rest = () => trial.octokit('agent-token').rest;

describe('what the simulated GitHub answers has the shape of what the real one answered', () => {
  const answers: readonly [what: string, recorded: unknown, simulate: () => Promise<{ data: unknown }>][] = [
    ['the root', recordedAnswer('get-root'), () => rest().meta.root()],
    [
      'a repository',
      recordedAnswer('get-repository'),
      () => rest().repos.get({ owner: 'company', repo: 'theirs' }),
    ],
    ['an issue', recordedAnswer('add-labels-to-issue', 0), () => rest().issues.get(thread)],
    [
      'labels added to an issue',
      recordedAnswer('add-labels-to-issue', 1),
      () => rest().issues.addLabels({ ...thread, labels: ['Foo'] }),
    ],
    ['issues', recordedAnswer('paginate-issues'), () => rest().issues.listForRepo(repository)],
    [
      'found issues',
      recordedAnswer('search-issues'),
      () => rest().search.issuesAndPullRequests({ q: 'sesame is:issue' }),
    ],
    ['labels', recordedAnswer('labels', 0), () => rest().issues.listLabelsForRepo(repository)],
    ['a label', recordedAnswer('labels', 2), () => rest().issues.getLabel({ ...repository, name: 'bug' })],
    [
      'refs',
      recordedAnswer('git-refs', 0),
      () => rest().git.listMatchingRefs({ ...repository, ref: 'heads/main' }),
    ],
    [
      'collaborators',
      recordedAnswer('add-and-remove-repository-collaborator', 3),
      () => rest().repos.listCollaborators(repository),
    ],
    [
      'a folder',
      recordedAnswer('get-content', 0),
      () => rest().repos.getContent({ ...repository, path: '' }),
    ],
    [
      'a file, raw',
      recordedAnswer('get-content', 1),
      () => rest().repos.getContent({ ...repository, path: 'README.md', mediaType: { format: 'raw' } }),
    ],
    [
      'a comment',
      webhookResource('issue_comment', 'comment'),
      async () => ({ data: (await rest().issues.listComments(thread)).data[0] }),
    ],
    [
      'a pull request',
      webhookResource('pull_request', 'pull_request'),
      () => rest().pulls.get({ ...repository, pull_number: 2 }),
    ],
  ];

  it.each(answers)('%s', async (_what, real, simulate) => {
    expect(real).toBeDefined();
    const { data } = await simulate();
    // The recorded repository has topics; the simulator has none.
    const differences = shapeDifferences(real, data).filter(
      (difference) => !difference.startsWith('$.topics'),
    );
    expect(differences).toEqual([]);
  });

  it('a created label and a created ref, with their location', async () => {
    const {
      data: label,
      headers,
      status,
    } = await rest().issues.createLabel({ ...repository, name: 'test-label', color: '663399' });
    expect([status, headers.location]).toEqual([recorded('labels')[1]?.status, label.url]);
    expect(shapeDifferences(recordedAnswer('labels', 1), label)).toEqual([]);
    const { data: main } = await rest().git.getRef({ ...repository, ref: 'heads/main' });
    const { data: ref } = await rest().git.createRef({
      ...repository,
      ref: 'refs/heads/test',
      sha: main.object.sha,
    });
    expect(shapeDifferences(recordedAnswer('git-refs', 1), ref)).toEqual([]);
  });

  it('a refusal', async () => {
    const refused = await rest()
      .issues.createLabel({ ...repository, name: 'foo', color: 'invalid' })
      .catch((error: { status: number; response: { data: unknown } }) => error);
    expect(refused).toMatchObject({ status: recorded('errors')[0]?.status });
    const answer = 'response' in refused ? refused.response.data : null;
    expect(shapeDifferences(recordedAnswer('errors'), answer)).toEqual([]);
  });

  it('the headers that a client may rely on', async () => {
    const { headers } = await rest().issues.listForRepo({ ...repository, per_page: 1 });
    const expected = Object.keys(recorded('paginate-issues')[0]?.headers ?? {});
    const relied = expected.filter((name) =>
      /^(etag|link|content-type|date|cache-control|x-ratelimit-.*|x-github-.*)$/.test(name),
    );
    expect(relied.length).toBeGreaterThan(8);
    expect(relied.filter((name) => !(name in headers))).toEqual([]);
  });

  it('links to pages by the id of the repository', async () => {
    const real = recorded('paginate-issues')[0]?.headers.link ?? '';
    const { headers } = await rest().issues.listForRepo({ ...repository, per_page: 1 });
    const form = (link: string) =>
      [...link.matchAll(/<https?:\/\/[^/]+\/([^/]+)\/\d+\/(issues)\?[^>]*>; rel="(\w+)"/g)].map(
        ([, ...parts]) => parts,
      );
    expect(form(headers.link ?? '')).toEqual(form(real));
    expect(form(real)).toHaveLength(2);
  });
});

describe('the comparison of shapes', () => {
  it('tells of missing keys, other types, nulls and empty arrays, however deep', () => {
    const real = {
      id: 1,
      user: { login: 'a', name: null },
      labels: [{ color: 'x' }],
      tags: ['x'],
      at: 'now',
    };
    const simulated = { id: '1', user: { name: 'b' }, labels: [{ colour: 'x' }], tags: [], at: null };
    expect(shapeDifferences(real, simulated)).toEqual([
      '$.id: number recorded, string simulated',
      '$.user.login: missing',
      '$.labels[0].color: missing',
      '$.tags: entries recorded, none simulated',
      '$.at: string recorded, null simulated',
    ]);
    expect(shapeDifferences(real, { ...real, more: 1 })).toEqual([]);
  });
});
