import { describe, expect, it } from 'vitest';
import type { RequestRecord } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import { createMemoryPlatform } from './create-memory-platform.ts';

const unavailable = new PlatformError('The platform is away.', { code: 'unavailable' });

describe('createMemoryPlatform', () => {
  it('fails as often as it is told to, and counts every call', async () => {
    const platform = createMemoryPlatform();
    const key = platform.people.openIssue({ author: 'alice', title: 'Hello' });
    const records: RequestRecord[] = [];
    const { comments } = platform.openThread(key, { onRequest: (record) => records.push(record) });
    platform.failNext({ operation: 'listComments', error: unavailable, times: 2 });
    await expect(comments.listComments({ since: null })).rejects.toBe(unavailable);
    await expect(comments.listComments({ since: null })).rejects.toBe(unavailable);
    expect(await comments.listComments({ since: null })).toMatchObject({ complete: true });
    expect(await comments.listComments({ since: null })).toMatchObject({ unchanged: true });
    expect(records.map(({ status, counted }) => [status, counted])).toEqual([
      [null, true],
      [null, true],
      [200, true],
      [304, false],
    ]);
  });

  it('can lose the answer of a call that took effect', async () => {
    const platform = createMemoryPlatform();
    const key = platform.people.openIssue({ author: 'alice', title: 'Hello' });
    const { writer } = platform.openThread(key);
    platform.failNext({ operation: 'ensureComment', error: unavailable, afterEffect: true });
    await expect(writer.ensureComment({ topic: 'final', body: 'Done.' })).rejects.toBe(unavailable);
    expect(await writer.ensureComment({ topic: 'final', body: 'Done.' })).toMatchObject({
      change: 'unchanged',
    });
    expect(platform.people.commentsOn(key)).toHaveLength(1);
  });

  it('has a repository without commits', async () => {
    const platform = createMemoryPlatform({ repositories: [{ path: 'octo/empty', files: null }] });
    const key = platform.people.openIssue({ author: 'alice', title: 'Start' });
    const { repository, changeRequests } = platform.openThread(key);
    expect(await repository?.listFiles()).toEqual([]);
    expect(await changeRequests?.listBranches({ prefix: '' })).toEqual([]);
    await expect(repository?.readFile('README.md')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('refuses seeds and keys that cannot be right', () => {
    expect(() => createMemoryPlatform({ repositories: [{ path: 'hello' }] })).toThrowError(/owner\/repo/);
    const platform = createMemoryPlatform();
    expect(() => platform.openThread({ type: 'gitlab_issue', projectId: '1', issueIid: 1 })).toThrowError(
      expect.objectContaining({ code: 'invalid' }),
    );
    expect(() =>
      platform.people.openIssue({ repository: 'octo/other', author: 'a', title: 't' }),
    ).toThrowError(expect.objectContaining({ code: 'not-found' }));
  });
});
