import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openChange, project, projectApi, refusal, startTrial, type Trial } from './trial.ts';

let trial: Trial;

beforeEach(async () => {
  trial = await startTrial();
});

afterEach(() => trial.close());

describe('files of the simulated GitLab', () => {
  it('lists folders before files, of a path, of a ref, and all below', async () => {
    const tree = async (query: object) =>
      (await trial.api().Repositories.allRepositoryTrees(project, query)).map(
        ({ path, type }) => `${type} ${path}`,
      );
    expect(await tree({})).toEqual(['tree src', 'blob README.md']);
    expect(await tree({ path: 'src' })).toEqual(['blob src/sum.js']);
    expect(await tree({ recursive: true })).toEqual(['tree src', 'blob README.md', 'blob src/sum.js']);
    expect((await refusal(tree({ path: 'nowhere' }))).message).toBe('404 invalid revision or path Not Found');
    expect((await refusal(tree({ ref: 'nowhere' }))).message).toBe('404 Tree Not Found');
  });

  it('shows a file in base64, and as it is', async () => {
    const file = await trial.api().RepositoryFiles.show(project, 'src/sum.js', 'main');
    expect(file).toMatchObject({
      file_name: 'sum.js',
      file_path: 'src/sum.js',
      encoding: 'base64',
      size: 36,
    });
    expect(Buffer.from(file.content, 'base64').toString()).toContain('export const sum');
    const raw = await trial.rest(`${projectApi}/repository/files/src%2Fsum.js/raw?ref=main`);
    expect(raw.body).toBe('export const sum = (a, b) => a - b;\n');
    expect((await trial.rest(`${projectApi}/repository/files/src%2Fsum.js/raw`)).status).toBe(200);
  });

  it('answers 404 for a missing file, ref and folder, and 400 without a ref', async () => {
    const file = (path: string, ref: string) => trial.api().RepositoryFiles.show(project, path, ref);
    expect((await refusal(file('none.txt', 'main'))).message).toBe('404 File Not Found');
    expect((await refusal(file('src', 'main'))).message).toBe('404 File Not Found');
    expect((await refusal(file('README.md', 'nowhere'))).message).toBe('404 Commit Not Found');
    const { body } = await trial.rest(`${projectApi}/repository/files/README.md`);
    expect(body).toEqual({ error: 'ref is missing' });
    // A slash that is not encoded leads nowhere.
    expect((await trial.rest(`${projectApi}/repository/files/src/sum.js?ref=main`)).status).toBe(404);
  });
});

describe('branches of the simulated GitLab', () => {
  it('are listed by part, beginning and end of their names', async () => {
    const { Branches } = trial.api();
    for (const name of ['agent/1', 'agent/2', 'my-agent']) await Branches.create(project, name, 'main');
    const names = async (search: string) => (await Branches.all(project, { search })).map(({ name }) => name);
    expect(await names('agent')).toEqual(['agent/1', 'agent/2', 'my-agent']);
    expect(await names('^agent/')).toEqual(['agent/1', 'agent/2']);
    expect(await names('agent$')).toEqual(['my-agent']);
    expect((await Branches.all(project, { regex: '/[12]$' })).map(({ name }) => name)).toEqual([
      'agent/1',
      'agent/2',
    ]);
  });

  it('say whether they are the default, protected, and to be pushed to', async () => {
    const main = (token: string) => trial.api(token).Branches.show(project, 'main');
    expect(await main('agent-token')).toMatchObject({ default: true, protected: true, can_push: false });
    expect((await main('maintainer-token')).can_push).toBe(true);
    trial.simulator.protectBranch(project, 'main', 'developer');
    expect(await main('agent-token')).toMatchObject({ can_push: true, developers_can_push: true });
    trial.simulator.unprotectBranch(project, 'main');
    expect((await main('agent-token')).protected).toBe(false);
  });

  it('are made once, from something that exists, by developers', async () => {
    const create = (name: string, ref: string, token = 'agent-token') =>
      trial.api(token).Branches.create(project, name, ref);
    const { commit } = await create('new', 'main');
    expect(commit.id).toMatch(/^[0-9a-f]{40}$/);
    expect(await refusal(create('new', 'main'))).toEqual({ status: 400, message: 'Branch already exists' });
    expect((await refusal(create('other', 'nowhere'))).message).toBe(
      "Failed to create branch 'other': invalid reference name 'nowhere'",
    );
    expect((await refusal(create('bad..name', 'main'))).message).toBe('Branch name is invalid');
    expect((await refusal(create('x', 'main', 'reporter-token'))).status).toBe(403);
    expect((await create('from-commit', commit.id)).commit.id).toBe(commit.id);
  });

  it('are deleted, except the default and protected ones', async () => {
    const { Branches } = trial.api();
    await Branches.create(project, 'a/b', 'main');
    await Branches.remove(project, 'a/b');
    expect((await refusal(Branches.show(project, 'a/b'))).message).toBe('404 Branch Not Found');
    expect((await refusal(Branches.remove(project, 'main'))).status).toBe(400);
    await Branches.create(project, 'kept', 'main');
    trial.simulator.protectBranch(project, 'kept');
    expect((await refusal(Branches.remove(project, 'kept'))).status).toBe(403);
  });
});

describe('commits of the simulated GitLab', () => {
  it('are listed newest first without a count, of a ref and of a path', async () => {
    await openChange(trial, 'x');
    const titles = async (query: string) =>
      (await trial.rest(`${projectApi}/repository/commits${query}`)).body.map(
        ({ title }: { title: string }) => title,
      );
    expect(await titles('')).toEqual(['Initial commit']);
    expect(await titles('?ref_name=x')).toEqual(['Change x.txt', 'Initial commit']);
    expect(await titles('?ref_name=x&path=x.txt')).toEqual(['Change x.txt']);
    expect((await trial.rest(`${projectApi}/repository/commits`)).headers.has('x-total')).toBe(false);
    expect((await trial.rest(`${projectApi}/repository/commits?ref_name=none`)).status).toBe(404);
    const commit = await trial.api().Commits.show(project, 'x');
    expect(commit).toMatchObject({ title: 'Change x.txt', created_at: '2024-05-01T00:00:00.000+00:00' });
    expect((await refusal(trial.api().Commits.show(project, 'none'))).message).toBe('404 Commit Not Found');
  });

  it('are compared', async () => {
    await openChange(trial, 'x');
    const compared = await trial.api().Repositories.compare(project, 'main', 'x');
    expect(compared).toMatchObject({
      commits: [{ title: 'Change x.txt' }],
      diffs: [{ new_path: 'x.txt', new_file: true }],
      compare_same_ref: false,
    });
    expect((await refusal(trial.api().Repositories.compare(project, 'main', 'none'))).message).toBe(
      '404 Ref Not Found',
    );
  });
});
