import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { project, projectApi, startTrial, type Trial } from './trial.ts';

let trial: Trial;

beforeEach(async () => {
  trial = await startTrial({ maxCountedRecords: 150 });
  trial.simulator.openIssue({ project, author: 'reporter', title: 'Talk' });
});

afterEach(() => trial.close());

const say = (count: number) => {
  for (let index = 0; index < count; index += 1) {
    trial.simulator.note({ project, reference: '#1', author: 'reporter', body: `note ${index}` });
  }
};
const notes = (query = '') => trial.rest(`${projectApi}/issues/1/notes${query}`);

describe('pages of the simulated GitLab', () => {
  it('have 20 records, at most 100 whatever is asked for', async () => {
    say(120);
    expect((await notes()).body).toHaveLength(20);
    expect((await notes('?per_page=100')).body).toHaveLength(100);
    expect((await notes('?per_page=1000')).body).toHaveLength(100);
    expect((await notes('?page=0')).headers.get('x-page')).toBe('1');
    expect((await notes('?per_page=0')).body).toEqual({ error: 'per_page has a value not allowed' });
    expect((await notes('?page=two')).body).toEqual({ error: 'page is invalid' });
  });

  it('lead to each other in headers', async () => {
    say(50);
    const { headers } = await notes('?page=2&sort=asc');
    const names = ['x-page', 'x-per-page', 'x-next-page', 'x-prev-page', 'x-total', 'x-total-pages'];
    expect(names.map((name) => headers.get(name))).toEqual(['2', '20', '3', '1', '50', '3']);
    const address = `${trial.simulator.url}/api/v4${projectApi}/issues/1/notes`;
    expect(headers.get('link')).toBe(
      [
        `<${address}?page=1&sort=asc&per_page=20>; rel="prev"`,
        `<${address}?page=3&sort=asc&per_page=20>; rel="next"`,
        `<${address}?page=1&sort=asc&per_page=20>; rel="first"`,
        `<${address}?page=3&sort=asc&per_page=20>; rel="last"`,
      ].join(', '),
    );
    const last = await notes('?page=3');
    expect(last.body).toHaveLength(10);
    expect(last.headers.get('x-next-page')).toBe('');
    expect((await notes('?page=9')).body).toEqual([]);
  });

  it('leave the total out where there are too many records to count', async () => {
    say(151);
    const { headers } = await notes('?per_page=100');
    expect(headers.has('x-total')).toBe(false);
    expect(headers.has('x-total-pages')).toBe(false);
    expect(headers.get('link')).not.toContain('rel="last"');
    expect(headers.get('x-next-page')).toBe('2');
    const all = await trial.api().IssueNotes.all(project, 1, { perPage: 100 });
    expect(all).toHaveLength(151);
  });

  it('refuse keyset pagination with 405 where GitLab does not have it', async () => {
    expect(await notes('?pagination=keyset')).toMatchObject({
      status: 405,
      body: { error: 'Keyset pagination is not yet available for this type of request' },
    });
  });

  it('follow tokens in trees', async () => {
    const tree = (query: string) => trial.rest(`${projectApi}/repository/tree?pagination=keyset&${query}`);
    const first = await tree('per_page=1&recursive=true');
    expect(first.body).toMatchObject([{ path: 'src' }]);
    expect(first.headers.has('x-total')).toBe(false);
    expect(first.headers.get('link')).toMatch(/page_token=[0-9a-f]{40}.*rel="next"/);
    const all = await trial
      .api()
      .Repositories.allRepositoryTrees(project, { recursive: true, pagination: 'keyset', perPage: 1 });
    expect(all.map(({ path }) => path)).toEqual(['src', 'README.md', 'src/sum.js']);
    expect((await tree('page_token=nonsense')).status).toBe(400);
    expect((await tree('per_page=100')).headers.has('link')).toBe(false);
  });
});
