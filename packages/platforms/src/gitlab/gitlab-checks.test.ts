import { expect, it } from 'vitest';
import { onGitLab } from '../../test/fixtures/gitlab-fixture.ts';
import type { TaskKey } from '../index.ts';

const project = 'octo/hello';
const minute = 60;

it('lists each attempt of each job of a head, reads what it printed, and runs it again [NX-192]', () =>
  onGitLab(async ({ simulator, projectId, connect, people }) => {
    await simulator.ci.answer(project, ({ attempt }) => [
      {
        name: 'test',
        conclusion: attempt === 1 ? 'failure' : 'success',
        takesMs: 30_000,
        log: `${'x'.repeat(21_000)}\nthe end\n`,
      },
      { name: 'lint', conclusion: 'failure', allowFailure: true },
      { name: 'docs', kind: 'status', conclusion: 'success', summary: 'Built' },
    ]);
    const files = { 'new.txt': 'one\n' };
    const seed = { project, author: 'agent', title: 'New', sourceBranch: 'new', files };
    const { iid: mrIid } = await simulator.openMergeRequest(seed);
    const key: TaskKey = { type: 'gitlab_merge_request', projectId, mrIid };
    const checks = connect().openReview?.(key)?.checks;
    if (!checks) throw new Error('GitLab has checks.');
    const head = await checks.readHead();
    const list = () => checks.list({ head });
    const named = async (name: string) =>
      (await list()).findLast((check) => check.name === name) ?? { id: '' };

    expect(await named('test')).toMatchObject({ conclusion: null, endedAt: null, head, required: false });
    expect(await checks.readLog(await named('test'))).toBeNull();
    await expect(checks.rerun(await named('test'))).rejects.toMatchObject({ code: 'conflict' });
    await people.passTime(minute);
    expect(await named('test')).toMatchObject({ conclusion: 'failure', attempt: 1 });
    expect(await named('lint')).toMatchObject({ conclusion: 'neutral', required: false });
    expect(await named('docs')).toMatchObject({ conclusion: 'success', summary: 'Built' });
    const log = await checks.readLog(await named('test'));
    expect(log?.length).toBeLessThanOrEqual(20_000);
    expect(log?.endsWith('the end\n')).toBe(true);
    expect(await checks.readLog(await named('docs'))).toBeNull();
    await expect(checks.rerun(await named('docs'))).rejects.toMatchObject({ code: 'conflict' });

    await checks.rerun(await named('test'));
    expect(await named('test')).toMatchObject({ conclusion: null, attempt: 2 });
    await people.passTime(minute);
    const attempts = (await list()).filter(({ name }) => name === 'test');
    expect(attempts.map(({ conclusion }) => conclusion)).toEqual(['failure', 'success']);
    const next = await simulator.push({
      project,
      branch: 'new',
      author: 'agent',
      files: { 'new.txt': 'two\n' },
    });
    expect(await checks.readHead()).toBe(next);
    expect(await list()).toHaveLength(4);
  }));

it('says what has to pass, and takes colors, folded sections and lines that were written over out of a log', () =>
  onGitLab(async ({ simulator, projectId, connect }) => {
    simulator.ci.require(project, true);
    const log = '\u001b[0Ksection_start:1:run\r\u001b[0K\u001b[31mred\u001b[0;m\n 10%\r 90%\rdone\r\nend';
    await simulator.ci.answer(project, () => [{ name: 'test', conclusion: 'failure', log }]);
    const files = { 'new.txt': 'one\n' };
    const seed = { project, author: 'agent', title: 'New', sourceBranch: 'new', files };
    const { iid: mrIid } = await simulator.openMergeRequest(seed);
    const checks = connect().openReview?.({ type: 'gitlab_merge_request', projectId, mrIid })?.checks;
    const [check] = (await checks?.list({ head: await checks.readHead() })) ?? [];
    expect(check?.required).toBe(true);
    expect(await checks?.readLog({ id: check?.id ?? '' })).toBe('red\ndone\nend');
  }));
