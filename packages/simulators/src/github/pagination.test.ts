import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repository, repositoryName, startTrial, type Trial } from './trial.ts';

let trial: Trial;

beforeEach(async () => {
  trial = await startTrial();
  for (let index = 1; index <= 250; index += 1) {
    trial.simulator.openIssue({ repo: repositoryName, author: 'alice', title: `Issue ${index}` });
  }
});

afterEach(() => trial.close());

const list = (query: object) =>
  trial.octokit('agent-token').rest.issues.listForRepo({ ...repository, direction: 'asc', ...query });
const relations = (link: string | undefined) =>
  Object.fromEntries(
    [...(link ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url = '', relation = '']) => [
      relation,
      new URL(url).searchParams.get('page'),
    ]),
  );

describe("pages of the simulated GitHub's lists", () => {
  it('has 30 entries on a page, and at most 100 whatever is asked for', async () => {
    expect((await list({})).data).toHaveLength(30);
    expect((await list({ per_page: 7 })).data).toHaveLength(7);
    expect((await list({ per_page: 200 })).data).toHaveLength(100);
    expect((await list({ per_page: 0 })).data).toHaveLength(30);
  });

  it('links to the next and last page, then to the previous and first', async () => {
    expect(relations((await list({ per_page: 100 })).headers.link)).toEqual({ next: '2', last: '3' });
    expect(relations((await list({ per_page: 100, page: 2 })).headers.link)).toEqual({
      prev: '1',
      next: '3',
      last: '3',
      first: '1',
    });
    expect(relations((await list({ per_page: 100, page: 3 })).headers.link)).toEqual({
      prev: '2',
      first: '1',
    });
    expect((await list({ per_page: 100, page: 4 })).data).toEqual([]);
  });

  it('has no links where one page holds everything', async () => {
    const { headers } = await trial.octokit('agent-token').rest.issues.listLabelsForRepo(repository);
    expect(headers.link).toBeUndefined();
  });

  it('names the repository by its id in links, keeps the rest of the query, and serves those addresses', async () => {
    const { headers } = await list({ per_page: 100, state: 'all' });
    const next = /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1] ?? '';
    expect(next).toMatch(/\/repositories\/\d+\/issues\?.*per_page=100/);
    expect(next).toContain('state=all');
    const octokit = trial.octokit('agent-token');
    const all = await octokit.paginate(octokit.rest.issues.listForRepo, {
      ...repository,
      per_page: 100,
      direction: 'asc',
    });
    expect(all.map(({ number }) => number)).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
  });
});
