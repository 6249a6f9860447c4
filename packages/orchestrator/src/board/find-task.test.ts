import { describe, expect, it } from 'vitest';
import { findTask } from './find-task.ts';
import type { RunSummary } from './run-summary.ts';

const run = (uuid: string, change: Partial<RunSummary> = {}): RunSummary => ({
  uuid,
  state: 'running',
  status: null,
  name: 'acme/shop#42',
  taskKeyText: 'github_issue:acme:shop:42',
  title: 'Title',
  url: 'https://github.com/acme/shop/issues/42',
  since: null,
  ...change,
});

const other = run('3f2b0000-0000-4000-8000-000000000002', {
  name: 'acme/shop#43',
  taskKeyText: 'github_issue:acme:shop:43',
  url: 'https://github.com/acme/shop/issues/43',
});
const wanted = run('3f2a0000-0000-4000-8000-000000000001');
const ended = run('aaaa0000-0000-4000-8000-000000000003', { state: 'ended', status: 'completed' });

describe('findTask', () => {
  it.each([
    ['3f2a0000-0000-4000-8000-000000000001'],
    ['3f2a'],
    ['3F2A00'],
    ['acme/shop#42'],
    ['Acme/Shop#42'],
    ['shop#42'],
    ['#42'],
    ['42'],
    ['github_issue:acme:shop:42'],
    ['https://github.com/acme/shop/issues/42'],
    ['https://github.com/acme/shop/issues/42/#issuecomment-1'],
    [' https://GitHub.com/acme/shop/issues/42?x=1 '],
  ])('takes %s for the run', (given) => {
    expect(findTask([other, ended, wanted], given)).toEqual({ kind: 'found', run: wanted });
  });

  it('means the run of a thread that has not ended, else its latest', () => {
    const older = run('bbbb0000-0000-4000-8000-000000000004', { state: 'ended', status: 'failed' });
    expect(findTask([ended, older], 'acme/shop#42')).toEqual({ kind: 'found', run: ended });
  });

  it('does not guess between runs that begin alike, or between hosts', () => {
    const near = run('3f2a9999-0000-4000-8000-000000000005', { name: 'x/y#1', url: null });
    expect(findTask([wanted, near], '3f2a')).toMatchObject({ kind: 'ambiguous' });
    const elsewhere = run('cccc0000-0000-4000-8000-000000000006', {
      url: 'https://git.example/acme/shop/issues/42',
    });
    expect(findTask([wanted, elsewhere], 'acme/shop#42')).toMatchObject({
      kind: 'ambiguous',
      runs: [wanted, elsewhere],
    });
  });

  it('takes an issue and a merge request of GitLab by either sign', () => {
    const request = run('dddd0000-0000-4000-8000-000000000007', { name: 'group/shop!7', url: null });
    expect(findTask([request], 'group/shop!7')).toMatchObject({ kind: 'found' });
    expect(findTask([request], 'group/shop#7')).toMatchObject({ kind: 'found' });
  });

  it.each(['3f2', 'zzzz', '', '../../etc', 'acme/shop#4'])('knows no task %j', (given) => {
    expect(findTask([wanted, other], given)).toEqual({ kind: 'unknown' });
  });
});
